import { answerParent } from '../frame/child.ts'
import { converse, type Tally, type Turns } from './connection.ts'

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
  /** The requests of this load are those that were kept under this name. */
  readonly kept?: string
}

/** Requests that several runs send, each going on where the one before ended. */
export type Kept = Pick<Load, 'connections' | 'requests'> & { readonly name: string }

export type LoadResult = {
  readonly perSecond: number
  readonly answers: number
  readonly failures: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const msPerSecond = 1_000

const kept = new Map<string, readonly Turns[]>()

function keep({ name, ...load }: Kept): void {
  kept.set(name, makeTurns(load))
}

async function run(load: Load): Promise<LoadResult> {
  const turns = load.kept === undefined ? makeTurns(load) : kept.get(load.kept)
  if (turns === undefined) throw new Error(`nothing is kept as ${load.kept}`)
  if (load.warmUpSeconds > 0) await talk(load, turns, load.warmUpSeconds)
  const start = performance.now()
  const tallies = await talk(load, turns, load.seconds)
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

async function talk(
  { port, answersMax = Number.POSITIVE_INFINITY }: Load,
  turns: readonly Turns[],
  seconds: number,
): Promise<Tally[]> {
  let over = false
  let answers = 0
  const timer = setTimeout(() => {
    over = true
  }, seconds * msPerSecond)
  const conversations = turns.map((own) =>
    converse(port, own, () => ++answers >= answersMax || over),
  )
  return Promise.all(conversations).finally(() => clearTimeout(timer))
}

function makeTurns({ requests, connections }: Pick<Load, 'requests' | 'connections'>): Turns[] {
  const buffers = requests.map((request) => Buffer.from(request, 'latin1'))
  return Array.from({ length: connections }, (_, at) => {
    const own: Buffer[] = []
    for (let index = at % buffers.length; index < buffers.length; index += connections) {
      own.push(...buffers.slice(index, index + 1))
    }
    return { requests: own, sent: 0 }
  })
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

answerParent({ keep, run }, () => {})
