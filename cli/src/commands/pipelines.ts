import { type components, unwrap } from '@millrace/client'
import { defineCommand, UsageError } from '../command.ts'
import { type Input, microsecondsOf, wholeNumber } from '../input.ts'
import { columns, timeOf } from '../output/output.ts'

type Change = components['schemas']['PipelineChange']
type Pipeline = components['schemas']['Pipeline']
type Simulation = components['schemas']['Simulation']

export const each = 'for ASSET in $(npx millrace pipeline list --limit 1 | cut -d" " -f1); do'
export const assetOption = {
  meaning: 'The id of an asset; see millrace pipeline list.',
  required: true,
} as const
const usPerMs = 1_000

export const pipelineList = defineCommand({
  options: {
    limit: { meaning: 'The number of assets to print.', default: '100' },
    offset: { meaning: 'The number of assets to pass over.', default: '0' },
  },
  example: 'npx millrace pipeline list',
  routes: ['listPipelines'],
  async run({ limit, offset }, { client, out }) {
    const api = await client()
    const query = { limit: wholeNumber('limit', limit), offset: wholeNumber('offset', offset) }
    const { pipelines } = await unwrap(api.GET('/api:1/pipelines', { params: { query } }))
    out.show(pipelines, () =>
      columns(pipelines.map(({ asset: id, links, name }) => [id, `${links} links`, name])),
    )
    return undefined
  },
})

export const pipelineShow = defineCommand({
  options: { asset: assetOption },
  operand: 'asset',
  example: `${each} npx millrace pipeline show $ASSET; done`,
  routes: ['getPipeline'],
  async run({ asset: id }, { client, out }) {
    const api = await client()
    const params = { path: { asset: id } }
    show(await unwrap(api.GET('/api:1/pipelines/{asset}', { params })), out)
    return undefined
  },
})

export const pipelineSave = defineCommand({
  options: {
    asset: assetOption,
    file: {
      meaning: 'A change as JSON or YAML: "links", and "whole" if they are all of them.',
      required: true,
    },
  },
  operand: 'asset',
  example: `echo '{"links": []}' > change.json && \
${each} npx millrace pipeline save $ASSET --file change.json; done`,
  routes: ['savePipeline'],
  async run({ asset: id, file }, { client, input, out }) {
    const api = await client()
    const body = await changeOf(input, 'file', file)
    const params = { path: { asset: id } }
    show(await unwrap(api.PUT('/api:1/pipelines/{asset}', { params, body })), out)
    return undefined
  },
})

export const pipelineSimulate = defineCommand({
  options: {
    asset: assetOption,
    from: { meaning: 'The begin of the recording, such as 2026-01-31T08:00Z.', required: true },
    to: { meaning: 'Its end. Default: now.' },
    change: { meaning: 'The change to try, as for millrace pipeline save.' },
    store: {
      flag: true,
      meaning: "Store the values of functions' outlets, for signals without any in that time.",
    },
  },
  operand: 'asset',
  example: `${each} npx millrace pipeline simulate $ASSET --from 2026-01-01; done`,
  routes: ['simulatePipeline'],
  async run({ asset: id, from, to, change: file, store }, { client, input, out }) {
    const api = await client()
    const body = {
      from: microsecondsOf('from', from),
      to: to === undefined ? Date.now() * usPerMs : microsecondsOf('to', to),
      ...(file !== undefined && { change: await changeOf(input, 'change', file) }),
      ...(store && { store }),
    }
    const params = { path: { asset: id } }
    const answer = await unwrap(api.POST('/api:1/pipelines/{asset}/simulate', { params, body }))
    out.show(answer, () => simulationLines(answer))
    return undefined
  },
})

type Shown = { show(value: unknown, lines: () => readonly string[]): void }

/** Prints a pipeline: its version, and a line for each link. */
export function show(pipeline: Pipeline, out: Shown): void {
  const { version, saved_at: at, saved_by: by, links } = pipeline
  const head = at === null ? 'version 0' : `version ${version}  ${timeOf(at)}  ${by ?? 'platform'}`
  const rows = links.map(({ id = '', type = '', functionId = '', enabled, name = '' }) => {
    return [id, type, functionId, enabled === false ? 'disabled' : 'enabled', name]
  })
  out.show(pipeline, () => [head, ...columns(rows)])
}

async function changeOf(input: Input, option: string, file: string): Promise<Change> {
  const change = await input.yamlOfFile(option, file)
  if (Array.isArray(change.links)) return change as Change
  throw new UsageError(`--${option} ${file} has no list "links"`)
}

function simulationLines(simulation: Simulation): string[] {
  const { values, live, changed, difference, stored, notes } = simulation
  const before = new Map(live.rules.map((rule) => [rule.linkId, rule.fired]))
  const ran = new Map(live.actions.map((action) => [action.linkId, action.count]))
  return [
    `${values} recorded values`,
    ...changed.rules.map(({ linkId, name, fired, changes }) => {
      const at = changes.filter(({ level, previous }) => level > previous).slice(0, timesShown)
      const times = at.map(({ ts, level }) => `${timeOf(ts)} to ${level}`).join(', ')
      const was = before.has(linkId) ? `, now ${before.get(linkId)}` : ''
      return `rule "${name}" would have fired ${fired} times${was}${times && `: ${times}`}`
    }),
    ...changed.actions.map(({ linkId, name, count }) => {
      const was = ran.has(linkId) ? `, now ${ran.get(linkId)}` : ''
      return `action "${name}" would have run ${count} times${was}`
    }),
    ...difference.signals.map(({ name, count, first: { ts, ...first } }) => {
      const values = `${JSON.stringify(first.live)} is ${JSON.stringify(first.changed)}`
      return `signal "${name}" differs ${count} times, first at ${timeOf(ts)}: ${values}`
    }),
    ...changed.failures.map(
      ({ name, count, reason }) => `"${name}" failed ${count} times: ${reason}`,
    ),
    ...stored.map(({ name, count }) => `signal "${name}": ${count} values stored`),
    ...notes.map((note) => `note: ${note}`),
  ]
}

const timesShown = 5
