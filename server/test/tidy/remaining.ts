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
  door: 0,
  doors: 0,
  doubt: 0,
  doubts: 0,
  errand: 0,
  errands: 0,
  foresee: 0,
  grace: 0,
  graces: 0,
  heard: 0,
  hearer: 0,
  hearers: 0,
  hears: 0,
  hinted: 0,
  house: 0,
  lane: 0,
  lanes: 0,
  mood: 0,
  rehearsal: 0,
  rehearse: 0,
  settler: 0,
  spoken: 0,
  stranger: 0,
  strangers: 0,
  told: 0,
  twin: 0,
  twins: 0,
  unbegun: 0,
}

/** Folders with more files than the rule allows. */
export const filesRemaining: Remaining = {}

/** Files of a module that lie in circles of imports. */
export const circlesRemaining: Remaining = {}

/** Object literals that are spread into an object literal. */
export const spreadsRemaining: Remaining = {
  'server/test': 12,
}

/** Files of a module with fewer than 30 lines. */
export const smallFilesRemaining: Remaining = {
  assets: 1,
  'device-api': 1,
  jobs: 1,
  'main.ts': 2,
  provisioning: 9,
  scripting: 7,
  'services/device': 1,
  'services/http': 1,
  'services/interface': 2,
  'services/keystore': 2,
  'services/notification': 3,
}

/** Types that the files of a module export which compose it. */
export const composedTypesRemaining: Remaining = {
  pipelines: 2,
  'services/notification': 4,
}

/** Tests and sections of tests that are longer than the rule allows, by folder. */
export const testsRemaining: Remaining = {
  'server/src/services/notification': 1,
  'server/test/scenario': 5,
  'server/test/spec/solutions': 11,
}

/** Names of types that several modules export, and how many do. */
export const typeNamesRemaining: Remaining = {
  Activation: 2,
  Address: 2,
  Answer: 2,
  Call: 2,
  Caller: 3,
  Client: 2,
  Command: 2,
  Content: 3,
  Credential: 3,
  Credentials: 3,
  Endpoint: 2,
  Endpoints: 2,
  Engine: 2,
  Entry: 2,
  Fields: 3,
  Folder: 2,
  FollowOptions: 2,
  FunctionsOptions: 2,
  HostKind: 2,
  Job: 2,
  JobState: 2,
  Ledger: 2,
  Listener: 2,
  Node: 2,
  Operation: 3,
  OperationResult: 2,
  Outcome: 5,
  Page: 3,
  Pair: 4,
  Plan: 2,
  Point: 2,
  PoolOptions: 2,
  Prepared: 3,
  Principal: 2,
  Range: 2,
  Reading: 3,
  Route: 3,
  RouteMatch: 2,
  Routes: 2,
  Row: 3,
  RunOptions: 2,
  Secrets: 3,
  Services: 2,
  Settings: 2,
  Sockets: 2,
  State: 2,
  Subscriber: 2,
  Tag: 2,
  Target: 3,
  Usage: 2,
  Verdict: 2,
  Writes: 2,
}
