// What is printed on counters in the language of the page.

/** The title of a counter: a key of the game's messages, or the text itself. The table sets it when its words are there. */
export const wording = { title: (text: string): string => text };
