//! From a frame to what it does, in the same way for every game.
//!
//! The position within the turn sequence is a stack of frames. Each frame either runs by itself or asks somebody. A
//! game says which in one match without a catch-all arm ([`Flow::does`]), so that a forgotten frame does not compile,
//! and writes each question as one [`Question`]: who decides, what can be chosen, whether it is legal, what it does.
//! The functions below are then the same for every game.

use kernel::{Refusal, Rules, Stop};

/// A question about a position: what one side may do at a frame.
#[derive(Debug)]
pub struct Cx<'a, G: Flow> {
    pub rules: &'a G,
    pub s: &'a G::State,
    /// Who decides.
    pub side: G::Side,
    pub frame: G::Frame,
}

impl<G: Flow> Clone for Cx<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Flow> Copy for Cx<'_, G> {}

/// What is asked at a frame that waits for somebody.
pub trait Question<G: Flow>: Sync + std::fmt::Debug {
    /// Who decides; none if there is nothing left to ask about, in which case the frame is popped.
    fn asks(&self, rules: &G, s: &G::State, frame: G::Frame) -> Option<G::Side>;

    /// The only possible action, if there is just one: nobody is asked then.
    fn forced(&self, _: &Cx<G>) -> Option<G::Action> {
        None
    }

    /// Step one of choosing: what to act with.
    fn subjects(&self, _: &Cx<G>, out: &mut Vec<G::Subject>) {
        out.push(G::PHASE);
    }

    /// One subject by its index, for lists that are too long to be built.
    fn one_subject(
        &self,
        cx: &Cx<G>,
        out: &mut Vec<G::Subject>,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Option<G::Subject> {
        self.subjects(cx, out);
        kernel::rules::chosen(out, choose)
    }

    /// Step two: what to do with it.
    fn options(&self, cx: &Cx<G>, subject: G::Subject, out: &mut Vec<G::Action>);

    /// Is the action legal?
    fn check(&self, cx: &Cx<G>, action: &G::Action) -> Result<(), Refusal>;

    /// Applies an action that has been checked. The frame is still on the stack: the question pops it when it is
    /// answered.
    fn apply(&self, play: &mut G::Play<'_>, at: At<G>, action: &G::Action) -> Result<(), Stop>;

    /// The key of the prompt, and its rule; empty where a game words its prompts elsewhere.
    fn prompt(&self) -> (&'static str, &'static str) {
        ("", "-")
    }

    /// The plain "no", which a lab file may leave out.
    fn no(&self) -> Option<G::Action> {
        None
    }
}

/// Who decided, and at which frame.
#[derive(Debug)]
pub struct At<G: Flow> {
    pub side: G::Side,
    pub frame: G::Frame,
}

impl<G: Flow> Clone for At<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Flow> Copy for At<G> {}

/// What a frame does.
#[derive(Debug)]
pub enum Does<G: Flow> {
    /// Runs by itself; the frame has been popped already.
    Runs(Run<G>),
    /// Waits for somebody to decide.
    Asks(&'static dyn Question<G>),
}

/// What a frame that needs no decision does.
pub type Run<G> = fn(&mut <G as Flow>::Play<'_>, <G as Flow>::Frame) -> Result<(), Stop>;

/// A game whose position is a stack of frames.
pub trait Flow: Rules + Sized + 'static {
    type Frame: Copy + std::fmt::Debug + 'static;
    type Side: Copy + std::fmt::Debug + 'static;
    /// A position being changed: rules, state, dice and log together.
    type Play<'a>;
    /// The subject for actions that concern no piece in particular.
    const PHASE: Self::Subject;

    /// What each frame does: the one table from frames to questions.
    fn does(frame: Self::Frame) -> Does<Self>;

    /// The frame on top of the stack; none once the game is over.
    fn top(play: &Self::Play<'_>) -> Option<Self::Frame>;

    /// Pops a frame that is about to run. The frame at the bottom, which opens phase after phase, stays.
    fn take_off(play: &mut Self::Play<'_>, frame: Self::Frame);

    /// Rules and state of a position being changed.
    fn position<'a>(play: &'a Self::Play<'_>) -> (&'a Self, &'a Self::State);

    /// Called when a question is reached: forgets what was cached for the position before, and returns the answer if
    /// there is only one.
    fn reach(play: &mut Self::Play<'_>, question: &dyn Question<Self>, at: At<Self>) -> Option<Self::Action>;

    /// The refusal of any action that is not asked for now.
    fn not_now(&self) -> Refusal;
}

/// The question of a frame; none if it runs by itself.
#[inline]
pub fn question<G: Flow>(frame: G::Frame) -> Option<&'static dyn Question<G>> {
    match G::does(frame) {
        Does::Asks(question) => Some(question),
        Does::Runs(_) => None,
    }
}

/// Who decides at a frame; nobody if it runs by itself.
#[inline]
pub fn asks<G: Flow>(rules: &G, s: &G::State, frame: G::Frame) -> Option<G::Side> {
    question::<G>(frame)?.asks(rules, s, frame)
}

/// The only possible action, if there is just one.
pub fn forced<G: Flow>(cx: &Cx<G>) -> Option<G::Action> {
    question::<G>(cx.frame)?.forced(cx)
}

/// Step one of choosing.
pub fn subjects<G: Flow>(cx: &Cx<G>, out: &mut Vec<G::Subject>) {
    if let Some(question) = question::<G>(cx.frame) {
        question.subjects(cx, out);
    }
}

/// One subject by its index ([`Rules::one_subject`]).
pub fn one_subject<G: Flow>(
    cx: &Cx<G>,
    out: &mut Vec<G::Subject>,
    choose: impl FnOnce(usize) -> usize,
) -> Option<G::Subject> {
    let mut choose = Some(choose);
    // A question calls `choose` once; a second call would get the first subject.
    let mut once = |number| choose.take().map_or(0, |choose| choose(number));
    question::<G>(cx.frame)?.one_subject(cx, out, &mut once)
}

/// Step two of choosing.
pub fn options<G: Flow>(cx: &Cx<G>, subject: G::Subject, out: &mut Vec<G::Action>) {
    if let Some(question) = question::<G>(cx.frame) {
        question.options(cx, subject, out);
    }
}

/// Is the action legal?
pub fn check<G: Flow>(cx: &Cx<G>, action: &G::Action) -> Result<(), Refusal> {
    match question::<G>(cx.frame) {
        Some(question) => question.check(cx, action),
        None => Err(cx.rules.not_now()),
    }
}

/// Applies an action that has been checked.
pub fn apply<G: Flow>(play: &mut G::Play<'_>, at: At<G>, action: &G::Action) -> Result<(), Stop> {
    match question::<G>(at.frame) {
        Some(question) => question.apply(play, at, action),
        None => Ok(()),
    }
}

/// Runs the frame on top of the stack if it needs no decision; false if it asks somebody or the game is over.
pub fn run_top<G: Flow>(play: &mut G::Play<'_>) -> Result<bool, Stop> {
    let Some(frame) = G::top(play) else { return Ok(false) };
    match G::does(frame) {
        Does::Runs(run) => {
            G::take_off(play, frame);
            run(play, frame)?;
        }
        Does::Asks(question) => {
            let (rules, s) = G::position(play);
            if question.asks(rules, s, frame).is_some() {
                return Ok(false);
            }
            G::take_off(play, frame);
        }
    }
    Ok(true)
}

/// Runs frames until somebody must decide or the game is over.
pub fn settle<G: Flow>(play: &mut G::Play<'_>) -> Result<(), Stop> {
    while let Some(frame) = G::top(play) {
        let Does::Asks(question) = G::does(frame) else {
            run_top::<G>(play)?;
            continue;
        };
        let (rules, s) = G::position(play);
        let Some(side) = question.asks(rules, s, frame) else {
            G::take_off(play, frame);
            continue;
        };
        let at = At { side, frame };
        let Some(action) = G::reach(play, question, at) else { return Ok(()) };
        question.apply(play, at, &action)?;
    }
    Ok(())
}
