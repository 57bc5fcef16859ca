/**
 * What of today still breaks a rule, by word, module or folder. A number may only become smaller:
 * whoever removes some lowers it. What is not listed may not occur at all.
 */
export type Remaining = Readonly<Record<string, number>>

/** Words that docs/glossary.md replaces: identifiers, comments and names of tests that have one. */
export const wordsRemaining: Remaining = {
  buried: 0,
  bury: 0,
  courier: 0,
  culprit: 0,
  door: 52,
  doors: 12,
  doubt: 0,
  doubts: 0,
  errand: 0,
  errands: 0,
  foresee: 0,
  grace: 0,
  graces: 0,
  heard: 8,
  hearer: 0,
  hearers: 0,
  hears: 25,
  hinted: 4,
  house: 1,
  lane: 3,
  lanes: 10,
  mood: 0,
  rehearsal: 1,
  rehearse: 0,
  settler: 48,
  spoken: 1,
  stranger: 19,
  strangers: 3,
  told: 241,
  twin: 12,
  twins: 5,
  unbegun: 0,
}

/** Folders with more files than the rule allows. */
export const filesRemaining: Remaining = {}

/** Files of a module that lie in circles of imports. */
export const circlesRemaining: Remaining = {
  scripting: 11,
}

/** Object literals that are spread into an object literal. */
export const spreadsRemaining: Remaining = {
  'server/src': 63,
  'server/test': 236,
}

/** Files of a module with fewer than 30 lines. */
export const smallFilesRemaining: Remaining = {
  assets: 1,
  'device-api': 1,
  eventlog: 1,
  jobs: 1,
  'main.ts': 2,
  pipelines: 1,
  provisioning: 9,
  scripting: 8,
  'services/device': 1,
  'services/http': 1,
  'services/interface': 2,
  'services/keystore': 2,
  'services/notification': 12,
  'services/timer': 1,
}
