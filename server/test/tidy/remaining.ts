/**
 * What of today still breaks a rule, by word, module or folder. A number may only become smaller:
 * whoever removes some lowers it. What is not listed may not occur at all.
 */
export type Remaining = Readonly<Record<string, number>>

/** Words that docs/glossary.md replaces: identifiers, comments and names of tests that have one. */
export const wordsRemaining: Remaining = {
  buried: 2,
  bury: 0,
  courier: 6,
  culprit: 7,
  door: 151,
  doors: 39,
  doubt: 67,
  doubts: 0,
  errand: 26,
  errands: 8,
  foresee: 0,
  grace: 7,
  graces: 19,
  heard: 58,
  hearer: 14,
  hearers: 0,
  hears: 32,
  hinted: 9,
  house: 9,
  lane: 145,
  lanes: 60,
  mood: 0,
  rehearsal: 3,
  rehearse: 0,
  settler: 49,
  spoken: 20,
  stranger: 68,
  strangers: 17,
  told: 384,
  twin: 12,
  twins: 8,
  unbegun: 7,
}

/** Folders with more files than the rule allows. */
export const filesRemaining: Remaining = {
  'server/src/services/interface': 27,
  'server/src/services/webservice': 26,
}

/** Files of a module that lie in circles of imports. */
export const circlesRemaining: Remaining = {
  accounts: 7,
  database: 8,
  graphql: 2,
  'main.ts': 2,
  outbound: 2,
  scripting: 11,
  'services/notification': 2,
  'services/webservice': 4,
}

/** Object literals that are spread into an object literal. */
export const spreadsRemaining: Remaining = {
  'server/src': 188,
  'server/test': 238,
}
