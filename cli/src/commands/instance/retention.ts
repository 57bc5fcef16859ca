import { type MillraceClient, unwrap } from '@millrace/client'
import { defineCommand, UsageError } from '../../command.ts'
import { columns } from '../../output/output.ts'
import { businessOf } from './outbound.ts'

const kinds = ['log', 'values', 'lines', 'notifications', 'contents', 'audit'] as const
type Kind = (typeof kinds)[number]

const ofConnector = '/api:1/connectors/{connector}/retention'
const ofSignal = '/api:1/signals/{signal}/retention'

const places = {
  instance: { meaning: 'The period of all businesses without one of their own.', flag: true },
  connector: { meaning: 'The period of values that the devices of this connector write.' },
  signal: { meaning: 'The period of values of this signal.' },
} as const

export const retentionShow = defineCommand({
  options: places,
  example: 'npx millrace retention show',
  routes: ['getRetention', 'getInstanceRetention', 'getConnectorRetention', 'getSignalRetention'],
  async run({ instance, connector, signal }, { client, out }) {
    const api = await client()
    const of = await ofNarrow(api, { connector, signal })
    if (of !== undefined) {
      out.show(of, () => [`values: ${textOf(of.hours)}`])
    } else if (instance) {
      const set = await unwrap(api.GET('/api:1/instance/retention'))
      out.show(set, () => columns(kinds.map((kind) => [kind, textOf(set[kind])])))
    } else {
      const all = await unwrap(api.GET('/api:1/retention'))
      out.show(all, () =>
        columns(kinds.map((kind) => [kind, hoursOf(all[kind].hours), all[kind].set_by])),
      )
    }
    return undefined
  },
})

export const retentionSet = defineCommand({
  options: {
    ...places,
    hours: { meaning: 'Whole hours; "none" takes the period away.', required: true },
    kind: { meaning: 'The data.', choices: kinds, default: 'values' },
  },
  operand: 'hours',
  example: 'npx millrace retention set 8760 --kind values --business Demo',
  routes: [
    ...['getCaller', 'setInstanceRetention', 'setBusinessRetention'],
    ...['setConnectorRetention', 'setSignalRetention'],
  ],
  async run({ hours: given, kind, instance, connector, signal }, { client, out }) {
    const hours = parseHours(given)
    const api = await client()
    const body = { hours }
    if (connector !== undefined) {
      await unwrap(api.PUT(ofConnector, { params: { path: { connector } }, body }))
    } else if (signal !== undefined) {
      await unwrap(api.PUT(ofSignal, { params: { path: { signal } }, body }))
    } else if (instance) {
      const change = { [kind as Kind]: hours }
      await unwrap(api.PATCH('/api:1/instance/retention', { body: change }))
    } else {
      const business = await businessOf(api)
      const params = { path: { business: business.id } }
      const path = '/api:1/businesses/{business}/retention'
      await unwrap(api.PATCH(path, { params, body: { [kind as Kind]: hours } }))
    }
    out.print(`${kind}: ${textOf(hours)}`)
    return undefined
  },
})

type Narrow = { readonly connector: string | undefined; readonly signal: string | undefined }

async function ofNarrow(api: MillraceClient, { connector, signal }: Narrow) {
  if (connector !== undefined) {
    return unwrap(api.GET(ofConnector, { params: { path: { connector } } }))
  }
  if (signal === undefined) return undefined
  return unwrap(api.GET(ofSignal, { params: { path: { signal } } }))
}

function parseHours(given: string): number | null {
  if (given === 'none') return null
  const hours = Number(given)
  if (Number.isInteger(hours) && hours >= 1) return hours
  throw new UsageError('hours must be a whole number of hours, or none')
}

const hoursOf = (hours: number | null) => (hours === null ? 'for ever' : `${hours} h`)
const textOf = (hours: number | null) => (hours === null ? 'nothing is set' : `${hours} h`)
