import { parseArgs } from 'node:util'

/** How much a bench does. */
export type BenchArguments = {
  readonly rounds: number
  /** Of each side in each round. */
  readonly seconds: number
  readonly connections: number
  /** Where each process under test leaves its CPU profile; none without it. */
  readonly profileDir: string | undefined
  /** Where a peer is installed that is not among our packages; it is left out without it. */
  readonly peer: string | undefined
  /** Only this engine; all that answer without it. */
  readonly engine: string | undefined
}

const roundsMax = 100
const secondsMax = 60
const connectionsMax = 2_000

/**
 * Reads `--rounds`, `--seconds`, `--connections`, `--engine`, `--peer <folder>` and
 * `--profile <folder>`.
 * @throws Error with a sentence where a number is out of bounds.
 */
export function readArguments(defaults: Pick<BenchArguments, 'connections'>): BenchArguments {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '4' },
      connections: { type: 'string', default: String(defaults.connections) },
      engine: { type: 'string' },
      peer: { type: 'string' },
      profile: { type: 'string' },
    },
  })
  return {
    rounds: bounded('--rounds', values.rounds, roundsMax),
    seconds: bounded('--seconds', values.seconds, secondsMax),
    connections: bounded('--connections', values.connections, connectionsMax),
    profileDir: values.profile,
    peer: values.peer,
    engine: values.engine,
  }
}

function bounded(name: string, text: string, max: number): number {
  const number = Number(text)
  if (number >= 1 && number <= max) return number
  throw new Error(`${name} is from 1 to ${max}`)
}
