/**
 * Which test files run on the second engine as well: those that reach the database in other ways
 * than by a module's statements (connections, locks, copies, cursors, consumers), those of durable
 * work, those of several processes, and the rows of the graph query API. `npm run test:all` runs
 * on both engines what is not below.
 */
const onBothEngines = [
  /^server\/src\/(database|eventlog|jobs|activity)\/(?!embedded)/,
  /^server\/src\/services\/keystore\//,
  /^server\/src\/scripting\/events\//,
  /^server\/src\/services\/notification\/notification/,
  /^server\/test\/faults\/(database|kill|(interface|mutation|notification)-kill|scripts|solution)/,
  /^server\/test\/faults\/(second-start|tables-in-use)/,
  /^server\/test\/spec\/.*processes\.test\.ts$/,
  /^server\/test\/spec\/graphql\/part-b\//,
  /^server\/test\/spec\/operation\/clock\/clock-restart/,
  /^server\/test\/scenario\/spine/,
]

/**
 * Files that a second engine cannot change: they send the database nothing, or no statement that a
 * file under spec/ does not send as well.
 */
const onOneEngine = [
  /^server\/test\/scenario\/(?!spine)/,
  /^(insight-sdk|examples|bench)\//,
  /^server\/src\/(kernel|outbound|database\/embedded|scripting\/lua)\//,
  /^server\/src\/scripting\/(?!store|events)/,
  /^server\/src\/services\/interface\/(schema|compare)\//,
  /^server\/test\/tidy/,
]

/** Files of much work: each has a process of its own, and they start first. */
const slow = [
  /^server\/test\/scenario\/(pages|commands|start|packed|console\/everything)\./,
  /^server\/test\/faults\/(kill|signals|second-start|scripts-kill|tables-in-use)\./,
  /^server\/test\/spec\/solutions\/(dev|tests\/test-(command|api|refusals))\./,
  /^server\/test\/spec\/operation\/clock\/clock-restart\./,
  /^server\/src\/database\/embedded\/(engine|place)\./,
  /^server\/src\/scripting\/runtime\/(neighbours|watchdog)\./,
]

/** Files that wait for minutes and do little else. */
const waiting = [/^server\/test\/faults\/database-silent\./]

/** The files that run on a second engine too, in the long form or in that of `npm test`. */
export function onSecondEngine(files, { all }) {
  const takes = all ? (file) => !onOneEngine.some((some) => some.test(file)) : isOnBoth
  return files.filter(takes)
}

const isOnBoth = (file) => onBothEngines.some((some) => some.test(file))

export const isSlow = (file) => slow.some((some) => some.test(file))
export const isWaiting = (file) => waiting.some((some) => some.test(file))
