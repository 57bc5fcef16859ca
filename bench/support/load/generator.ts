import { answerParent } from '../frame/child.ts'
import { converse, type Tally } from './connection.ts'

/** The load: the same for every side, in a process of its own. */

export type Load = {
  readonly port: number
  readonly connections: number
  /** Not counted, before it is. */
  readonly warmUpSeconds: number
  readonly seconds: number
  /** Ends after so many answers instead; those that are on their way are waited for. */
  readonly answersMax?: number
  /** Whole HTTP/1.1 requests; each connection sends those of its turn, one after the other. */
  readonly requests: readonly string[]
}

export type LoadResult = {
  readonly perSecond: number
  readonly answers: number
  readonly failures: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const msPerSecond = 1_000

async function run(load: Load): Promise<LoadResult> {
  if (load.warmUpSeconds > 0) await talk(load, load.warmUpSeconds)
  const start = performance.now()
  const tallies = await talk(load, load.seconds)
  const elapsedMs = performance.now() - start
  const answers = sum(tallies.map((tally) => tally.answers))
  const waited = tallies.flatMap((tally) => tally.waitedMs).sort((a, b) => a - b)
  return {
    perSecond: (answers / elapsedMs) * msPerSecond,
    answers,
    failures: sum(tallies.map((tally) => tally.failures)),
    p50Ms: waited[Math.floor(waited.length * 0.5)] ?? 0,
    p99Ms: waited[Math.floor(waited.length * 0.99)] ?? 0,
  }
}

async function talk(load: Load, seconds: number): Promise<Tally[]> {
  const { port, connections, requests, answersMax = Number.POSITIVE_INFINITY } = load
  let over = false
  let answers = 0
  const timer = setTimeout(() => {
    over = true
  }, seconds * msPerSecond)
  const conversations = Array.from({ length: connections }, (_, at) =>
    converse(port, turnsOf(requests, at, connections), () => ++answers >= answersMax || over),
  )
  return Promise.all(conversations).finally(() => clearTimeout(timer))
}

function turnsOf(requests: readonly string[], at: number, connections: number): Buffer[] {
  const own = requests.filter((_, index) => index % connections === at % requests.length)
  return own.map((request) => Buffer.from(request, 'latin1'))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

answerParent({ run }, () => {})
