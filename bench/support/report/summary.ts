import { formatNumber } from './cells.ts'
import type { KeptRow } from './kept-rows.ts'
import { isMet } from './report.ts'

/**
 * The sentences that a reader wants first. A number stands as `{bench/goal}`, which is the figure,
 * or as `{bench/goal/rate}`, `{bench/goal/peer}` or `{bench/goal/limit}`, which are rates beside
 * it. A sentence with a number that nobody measured is left out.
 */
const topics: Readonly<Record<string, readonly string[]>> = {
  'What it does': [
    `It takes **{device-write/bare/rate} writes of devices a second** over HTTP, each on the disk
     before it is answered, while history, latest values and scripts follow.`,
    `{device-write/logOnly/rate} a second if nothing follows.`,
    `Over MQTT with QoS 1 it takes {mqtt-write/peer/rate} a second.`,
    `{activations/rate} devices activate in a second.`,
    `Scripts are called {script-call/service} times a second with a call of a service in each.`,
    `A solution calls another one {interface-call/rate} times a second, and serves
     {endpoint/peer/rate} requests a second at an endpoint.`,
    `{notifications/apn/rate} notifications go to APNs in a second, and {notifications/fcm/rate} to
     FCM.`,
    `A CSV of devices is whitelisted at {csv-import/rate} rows a second.`,
  ],
  'Beside others': [
    `A durable write with all that follows reaches {device-write/bare} of a node:http that keeps
     nothing ({device-write/bare/limit} a second).`,
    `It reaches {device-write/flow} of a Node-RED flow that keeps nothing, and {device-write/stored}
     times one that stores the value in the same PostgreSQL.`,
    `An MQTT write reaches {mqtt-write/peer} of aedes, which keeps nothing.`,
    `GraphQL answers lists of 20 assets at {graphql-list/20 assets, peer} times the rate of
     PostGraphile, with 5 signals each at {graphql-list/20 assets + 5 signals each, peer} times.`,
    `An endpoint answers at {endpoint/peer} times the rate of Node-RED.`,
    `Scripts are called at {script-call/redis} times the rate of Redis.`,
    `A call of another solution reaches {interface-call/peer} of a Moleculer action over TCP.`,
    `Notifications reach {notifications/apn} (APNs) and {notifications/fcm} (FCM) of a client that
     stores nothing.`,
  ],
  'How it grows': [
    `With 30,000 devices that write in turn a write costs {device-growth/cpu} times the CPU of one
     with 1,000 devices.`,
    `With 1,000,000 devices it costs {device-growth/cpuOfMillion} times that CPU.`,
    `Beside 100 million values of the same week it costs {history-growth/cpu} times the CPU of one
     beside none.`,
    `The first page of 1,000,000 devices takes {identity-list/first} ms.`,
    `An idle connection takes {idle-connections/alive} KiB, a long poll
     {idle-connections/poll} KiB.`,
    `The live heap while 1,000,000 bindings are notified is {notifications-memory/heap} MiB,
     {notifications-memory/growth} times that for 1,000.`,
    `Four solutions that spin make the others wait {script-isolation/spin} ms in 99 of 100 calls.`,
  ],
}

const engine = 'embedded'

export function formatSummary(rows: readonly KeptRow[]): string {
  const find = (bench: string, goal: string) =>
    rows.find(
      (row) => row.bench === bench && row.goal === goal && (row.engine ?? engine) === engine,
    )
  const paragraphs = Object.entries(topics).map(([title, sentences]) => {
    const texts = sentences.flatMap((sentence) => filled(sentence, find) ?? [])
    return texts.length === 0
      ? `**${title}.** Not measured yet.`
      : `**${title}.** ${texts.join(' ')}`
  })
  return [...paragraphs, formatGoals(rows), formatOrigin(rows)].map(wrapped).join('\n\n')
}

function filled(
  sentence: string,
  find: (bench: string, goal: string) => KeptRow | undefined,
): string | undefined {
  let isWhole = true
  const text = sentence.replaceAll(/\{([^}]+)\}/g, (_, path: string) => {
    const [bench = '', goal = '', part = 'figure'] = path.split('/')
    const number = pickPart(find(bench, goal), part)
    if (number === undefined) isWhole = false
    return number === undefined ? '' : formatNumber(number)
  })
  return isWhole ? text.replaceAll(/\s+/g, ' ') : undefined
}

function pickPart(row: KeptRow | undefined, part: string): number | undefined {
  if (part === 'rate') return row?.perSecond?.median
  if (part === 'peer' || part === 'limit') return row?.[part]?.perSecond.median
  return row?.figure?.median
}

function formatGoals(rows: readonly KeptRow[]): string {
  const bounded = rows.filter(({ atLeast, atMost }) => (atLeast ?? atMost) !== undefined)
  const count = (met: boolean | undefined) => bounded.filter((row) => isMet(row) === met).length
  const [met, missed, open] = [count(true), count(false), count(undefined)]
  return `**Goals.** Of ${bounded.length} goals ${met} are met and ${missed} missed; ${open} have
    no figure yet. The table below has each of them.`
}

/** Since when, and on what. */
function formatOrigin(rows: readonly KeptRow[]): string {
  const runs = rows.flatMap(({ figure, run }) => (figure === undefined || !run ? [] : [run]))
  const days = runs.map(({ at }) => at.slice(0, 'YYYY-MM-DD'.length)).toSorted()
  const machines = new Set(runs.map(({ machine }) => machine))
  return `Measured from ${days[0]} to ${days.at(-1)} on ${[...machines].join('; ')}. The load
    generator, the peers and PostgreSQL share the cores.`
}

const columnsMax = 100

function wrapped(text: string): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    if (`${line} ${word}`.length > columnsMax) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join('\n')
}
