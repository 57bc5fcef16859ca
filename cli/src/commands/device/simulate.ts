import { randomBytes } from 'node:crypto'
import type { components, MillraceClient } from '@millrace/client'
import { type Context, defineCommand, exitCodes, UsageError } from '../../command.ts'
import { wholeNumber } from '../../input.ts'
import { fetchCertificates } from '../../simulation/certificates.ts'
import { createDevice, type Method, methods } from '../../simulation/device.ts'
import { type Outcome, type Plan, simulate, waves } from '../../simulation/run.ts'
import { findTarget, type Target } from '../../simulation/target.ts'
import { connectorOption } from '../options.ts'

const devicesMax = 5_000
const secondsMax = 3_600
const everyMsMin = 10
const everyMsMax = 3_600_000
const msPerSecond = 1_000
const markBytes = 2

export const deviceSimulate = defineCommand({
  options: {
    connector: connectorOption,
    devices: { meaning: `The number of devices, at most ${devicesMax}.`, default: '10' },
    method: {
      meaning: 'Their authentication method. Default: that of the connector.',
      choices: methods,
    },
    seconds: { meaning: `The duration, at most ${secondsMax}.`, default: '10' },
    writes: { meaning: 'The writes of each device. Default: as many as the time allows.' },
    every: { meaning: 'The milliseconds between two writes of a device.', default: '1000' },
    wave: {
      meaning: 'Their start: spread over an interval, one by one until half time, or at once.',
      choices: waves,
      default: 'steady',
    },
    prefix: { meaning: 'The prefix of their identities. Default: a new one each time.' },
    'device-url': {
      meaning:
        'The address of the device API. Default: that of the instance in developer mode, else the ' +
        'host of the connector and the port that the instance listens on.',
    },
    ca: {
      meaning:
        'A file with the certificates (PEM) that devices trust. Default: the authority of the ' +
        'instance; with --device-url as the command.',
    },
  },
  example: 'npx millrace device simulate --connector demo --devices 20 --seconds 3 --every 500',
  routes: ['getConnector', 'getDeviceAddresses', 'putIdentity'],
  async run({ connector: id, ca: caFile, 'device-url': deviceUrl, ...values }, context) {
    const plan: Plan = {
      wave: parseWord(waves, values.wave),
      everyMs: within('every', values.every, everyMsMin, everyMsMax),
      durationMs: within('seconds', values.seconds, 1, secondsMax) * msPerSecond,
      writesMax: values.writes === undefined ? Infinity : within('writes', values.writes, 1, 1e9),
    }
    const count = within('devices', values.devices, 1, devicesMax)
    const { input, out, signal } = context
    const api = await context.client()
    const connector = await context.call('getConnector', { connector: id })
    const method = parseWord(methods, values.method ?? connector.provisioning.auth_type)
    const connection = context.connection()
    const ca = caFile === undefined ? undefined : input.path(caFile)
    const where = { api, connection, connector, method, deviceUrl, caFile: ca }
    const target = await findTarget(where)
    const prefix = values.prefix ?? `sim-${randomBytes(markBytes).toString('hex')}-`
    const identities = Array.from({ length: count }, (_, at) => `${prefix}${at}`)
    const devices = await makeDevices({ api, signal, connector, target, method }, identities)
    out.note(`${count} devices ${prefix}0 and on call ${target.url.origin} as ${target.host}`)
    const outcome = await simulate(devices, plan, { signal, report: (line) => out.note(line) })
    for (const device of devices) device.close()
    return summarize(outcome, out)
  },
})

type Devices = {
  readonly api: MillraceClient
  readonly signal: AbortSignal
  readonly connector: components['schemas']['Connector']
  readonly target: Target
  readonly method: Method
}

async function makeDevices(
  { api, signal, connector, target, method }: Devices,
  identities: readonly string[],
) {
  const certificates =
    method === 'certificate'
      ? await fetchCertificates({ api, connector: connector.id, signal }, identities)
      : undefined
  return identities.map((identity, at) => {
    return createDevice(target, identity, method, certificates?.[at])
  })
}

/** Hints, by an outcome. */
const hints = [
  [/^415 /, '415: the connector expects another --method'],
  [/SELF_SIGNED|UNABLE_TO/, 'the devices do not trust the certificate of the device API: --ca'],
  [/^E[A-Z_]+$/, 'the device API may have another address: --device-url'],
] as const

/** Returns 1 if anything was refused or lost, or nothing was written. */
function summarize({ activations, writes }: Outcome, out: Context['out']): number {
  const data = { activations: activations.summary(), writes: writes.summary() }
  out.show(data, () =>
    Object.entries({ activations, writes }).map(([name, tally]) => {
      const text = tally.total === 0 ? 'none' : `${tally.outcomes()}  ${tally.latencies()}`
      return `${name.padEnd(11)}  ${text}`
    }),
  )
  const [first = ''] = Object.keys(
    (activations.total > 0 ? activations : writes).summary().outcomes,
  )
  const hint = hints.find(([outcome]) => outcome.test(first))
  if (hint !== undefined) out.note(hint[1])
  const failed = activations.failed + writes.failed
  return writes.total > 0 && failed === 0 ? exitCodes.done : exitCodes.failed
}

/** @throws UsageError */
function within(option: string, text: string, least: number, most: number): number {
  const number = wholeNumber(option, text)
  if (number >= least && number <= most) return number
  throw new UsageError(`--${option} is a whole number from ${least} to ${most}`)
}

/** A choice of an option, whose values the parser has checked. */
function parseWord<Word extends string>(words: readonly Word[], text: string): Word {
  const found = words.find((word) => word === text)
  if (found !== undefined) return found
  throw new UsageError(`devices cannot use the method ${text}`)
}
