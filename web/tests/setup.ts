// The few things of a browser that modules touch when they are loaded.
const store = new Map<string, string>();
const storage = {
  getItem: (key: string) => store.get(key) ?? null,
  setItem: (key: string, value: string) => void store.set(key, value),
  removeItem: (key: string) => void store.delete(key),
};
Object.assign(globalThis, {
  localStorage: storage,
  sessionStorage: storage,
  navigator: { languages: ['en'] },
  innerWidth: 1440,
  matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
});
