import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { root } from './install.mjs'

/** Browsers, processes, pages, TLS and scenarios. */
const edge = [
  /^server\/test\/(scenario|tls|faults)\//,
  /^server\/test\/spec\/platform\/operation\/(processes|backup|clock)\//,
  /^server\/test\/spec\/.*processes\.test\.ts$/,
  /^server\/test\/spec\/scripts\/solutions\/(dev|tests\/)/,
  /^server\/src\/foundation\/database\/embedded\//,
  /^server\/src\/scripts\/scripting\/runtime\/(many|neighbours|watchdog)\./,
  /^server\/src\/scripts\/scripting\/lua\/lua51-witness\./,
  /^(examples|bench)\//,
]

/** Long kills, waits for minutes, and what runs on a second engine besides. */
const night = [
  /^server\/test\/faults\/(kill|kill-processes|(activation|deletion)-kill)\./,
  /^server\/test\/faults\/(database-silent|scripts-soak)\./,
  /^(server\/test|bench)\/fuzz\//,
  /^server\/test\/scenario\/release\./,
]

/** The journey of each edge that stands for it in the fast tier. */
const journeys = [
  'server/test/faults/jobs-two-processes.test.ts',
  'server/test/faults/mutation-kill.test.ts',
  'server/test/scenario/console/journey.test.ts',
  'server/test/scenario/failures-page.test.ts',
  'server/test/scenario/pack.test.ts',
  'server/test/scenario/spine.test.ts',
  'server/test/tls/certificate-method.test.ts',
]

/**
 * Which test files run on the second engine as well: those that reach the database in other ways
 * than by a module's statements (connections, locks, copies, cursors, consumers), those of durable
 * work, those of several processes, and the rows of the graph query API.
 */
const onBothEngines = [
  /^server\/src\/(foundation\/database|log\/(eventlog|jobs|activity))\/(?!embedded)/,
  /^server\/src\/scripts\/services\/keystore\//,
  /^server\/src\/scripts\/scripting\/events\//,
  /^server\/src\/scripts\/services\/notification\/notification/,
  /^server\/test\/faults\/(database|kill|(interface|mutation|notification)-kill|scripts|solution)/,
  /^server\/test\/faults\/(second-start|tables-in-use)/,
  /^server\/test\/spec\/.*processes\.test\.ts$/,
  /^server\/test\/spec\/api\/graphql\/part-b\//,
  /^server\/test\/spec\/platform\/operation\/clock\/clock-restart/,
  /^server\/test\/scenario\/spine/,
]

/** Files of much work: as those that mock timers, each has its own process and starts first. */
const slow = [
  /^server\/test\/scenario\/(pages|commands(-recorded)?|start|packed)\./,
  /^server\/test\/scenario\/console\/(everything|accessibility)\./,
  /^server\/test\/faults\/(kill|signals|second-start|scripts-kill|tables-in-use)\./,
  /^server\/test\/spec\/scripts\/solutions\/tests\/test-(command|api|refusals)\./,
  /^server\/test\/spec\/platform\/operation\/clock\/clock-restart\./,
  /^server\/src\/foundation\/database\/embedded\/(engine|place)\./,
  /^server\/src\/scripts\/scripting\/runtime\/(neighbours|watchdog)\./,
]

/** Files that wait for minutes and do little else. */
const waiting = [/^server\/test\/faults\/database-silent\./]

/** Timers are of the process: a mocked one ends or loses those of the platform that it shares. */
const mocksTimers = (file) => /mock\.timers\.enable/.test(readFileSync(resolve(root, file), 'utf8'))

/** Seconds of CPU that a run may use on the machine of reference. */
export const budgets = { fast: 900, all: 2_400, fileOfFast: 20 }

const isIn = (list, file) => list.some((one) => one.test(file))

/**
 * Returns the tier of a test file: `edge`, `night`, or `fast` for every file that no list names,
 * which are rules beside the source, the specification in process and tidiness. `npm test` runs
 * the fast tier, and `npm run test:all` all three.
 */
export function tierFor(file) {
  if (journeys.includes(file)) return 'fast'
  if (isIn(night, file)) return 'night'
  return isIn(edge, file) ? 'edge' : 'fast'
}

export const isOnBothEngines = (file) => isIn(onBothEngines, file)
export const isSlow = (file) => isIn(slow, file) || mocksTimers(file)
export const isWaiting = (file) => isIn(waiting, file)

/**
 * Folders of the specification beside that of a module's own name, by module: their tests reach it
 * over the network, which imports do not show.
 */
const specsByModule = {
  accounts: ['access', 'management'],
  'asset-files': ['assets', 'management'],
  database: ['operation'],
  'device-api': ['authentication', 'mqtt', 'lifecycle'],
  device: ['connectors', 'services'],
  email: ['mail', 'services'],
  eventlog: ['operation', 'device-api'],
  failures: ['pipelines', 'operation'],
  groups: ['access'],
  hosts: ['connectors', 'webservice'],
  http: ['http-client', 'device-api', 'operation'],
  jobs: ['pipelines', 'notification'],
  keystore: ['services'],
  legacy: ['notification'],
  management: ['client'],
  openapi: ['services'],
  provisioning: ['authentication', 'connectors', 'lifecycle', 'whitelist'],
  scripting: ['solutions', 'services', 'webservice'],
  'solution-tests': ['solutions'],
  timer: ['services'],
  tsdb: ['services'],
  upkeep: ['operation'],
  user: ['services'],
}

/** @returns patterns of the test files that reach a changed file in other ways than by imports. */
export function specFor(file) {
  const tidy = /^server\/test\/tidy/
  if (file.startsWith('cli/')) return [tidy, /^server\/test\/spec\/api\/client\//]
  const migration = /^server\/src\/foundation\/database\/migrations\/\d+_([a-z-]+)/.exec(file)?.[1]
  const module = migration ?? /^server\/src\/[a-z]+\/(?:services\/)?([a-z-]+)\//.exec(file)?.[1]
  if (module === undefined) return [tidy]
  const folders = [module, ...(specsByModule[module] ?? [])].join('|')
  return [tidy, new RegExp(`^server/(test/spec/(.*/)?(${folders})/|src/[a-z]+/${module}/)`)]
}
