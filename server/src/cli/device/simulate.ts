import { readSecret, wholeNumber } from '@millrace/cli/input'
import { limits, newToken, systemRandom } from '../../kernel/index.ts'
import { type Command, ownConfig, print, UsageError } from '../command.ts'
import { untilStopped } from '../signals.ts'
import { fetchCertificates } from './simulate/certificates.ts'
import { createDevice, type Method, methods } from './simulate/device.ts'
import { type Outcome, simulate, waves } from './simulate/run.ts'
import { findTarget, type Target } from './simulate/target.ts'

const markChars = 4

export const deviceSimulate: Command = {
  name: 'device simulate',
  summary: 'Simulate devices on this machine that activate and write data_in over real sockets.',
  options: {
    devices: {
      meaning: `The number of devices, at most ${limits.simulatedDevicesMax}.`,
      default: '10',
    },
    method: { meaning: `Their authentication method: ${methods.join(', ')}.`, default: 'token' },
    seconds: { meaning: `The duration, at most ${limits.simulatedSecondsMax}.`, default: '10' },
    every: { meaning: 'The milliseconds between two writes of a device.', default: '1000' },
    wave: { meaning: `The order in which they connect: ${waves.join(', ')}.`, default: 'steady' },
    prefix: { meaning: 'The prefix of their identities. Default: a new one each time.' },
    url: {
      meaning: "The URL of the HTTP server, on loopback. Default: the demo's, from demo.json.",
    },
    host: { meaning: "The connector's host. Default: the demo's." },
    ca: { meaning: "The CA of the server's certificate, a PEM file. Default: the demo's." },
    api: { meaning: "The management API, which signs certificates. Default: the demo's." },
    'token-file': {
      meaning: "A file with an API token for it; - is the standard input. Default: the demo's.",
    },
  },
  example: 'npx millrace device simulate --devices 20 --seconds 3 --every 500',
  async run(values) {
    const method = oneOf('method', methods, values.method)
    const plan = {
      wave: oneOf('wave', waves, values.wave),
      everyMs: within('every', values.every, limits.simulatedEveryMsMin, hourMs),
      durationMs: within('seconds', values.seconds, 1, limits.simulatedSecondsMax) * msPerSecond,
    }
    const count = within('devices', values.devices, 1, limits.simulatedDevicesMax)
    const file = values['token-file']
    const token = file === undefined ? undefined : await readSecret('token-file', file)
    const asked = { ...values, token }
    const target = await findTarget(ownConfig().dataDir, asked, method === 'certificate')
    if (method === 'certificate' && target.url.protocol !== 'https:') {
      throw new UsageError('--url must be https: for certificates')
    }
    const prefix = values.prefix ?? `sim-${newToken(systemRandom).slice(0, markChars)}-`
    const identities = Array.from({ length: count }, (_, at) => `${prefix}${at}`)
    const devices = await makeDevices(target, method, identities)
    print(`${count} devices ${prefix}0 and on call ${target.url.origin} as ${target.host}`)
    const outcome = await simulate(devices, plan, untilStopped(), print)
    for (const device of devices) device.close()
    return summarize(outcome)
  },
}

const msPerSecond = 1_000
const hourMs = 3_600_000

async function makeDevices(target: Target, method: Method, identities: readonly string[]) {
  const certificates =
    method === 'certificate' ? await fetchCertificates(target, identities) : undefined
  return identities.map((identity, at) => {
    return createDevice(target, identity, method, certificates?.[at])
  })
}

/** @returns 1 where anything was refused or lost, or nothing was written. */
function summarize({ activations, writes }: Outcome): number {
  for (const [name, tally] of Object.entries({ activations, writes })) {
    const said = tally.total === 0 ? 'none' : `${tally.outcomes()}  ${tally.latencies()}`
    print(`${name.padEnd(11)}  ${said}`)
  }
  if (activations.outcomes().includes('415 ')) {
    print('415: the connector expects another --method; --host chooses another connector.')
  }
  return writes.total > 0 && activations.failed + writes.failed === 0 ? 0 : 1
}

function within(name: string, text: string | undefined, least: number, most: number): number {
  const number = wholeNumber(name, text ?? '')
  if (number >= least && number <= most) return number
  throw new UsageError(`--${name} is a whole number from ${least} to ${most}`)
}

function oneOf<Word extends string>(
  name: string,
  words: readonly Word[],
  text: string | undefined,
): Word {
  const found = words.find((word) => word === text)
  if (found !== undefined) return found
  throw new UsageError(`--${name} is one of ${words.join(', ')}`)
}
