import type { components } from '@millrace/client'
import { UsageError } from '../command.ts'
import { parseMicroseconds } from '../input.ts'
import { list, operation, type Read, wholeBody } from '../operation.ts'
import { partLines } from '../output/differences.ts'
import { columns, formatTime } from '../output/output.ts'
import { trace } from './trace.ts'
import { compareWords, restoreOptions, versionsWords } from './versions.ts'

type Schemas = components['schemas']

const each = 'for ASSET in $(npx millrace pipeline list --limit 1 | cut -d" " -f1); do'
const assetOption = { meaning: 'The id of an asset; see millrace pipeline list.' }
const usPerMs = 1_000

/** The start of a line for a pipeline with a saved version, which a new demo may not have. */
const saved = `${each} npx millrace pipeline show $ASSET --json | grep -q '"version": 0' || \
npx millrace pipeline`

const changeFile: Read = async (option, file, { input }) => {
  const change = await input.yamlOfFile(option, file)
  if (Array.isArray(change.links)) return change
  throw new UsageError(`--${option} ${file} has no list "links"`)
}

/** The commands of pipelines, and of traces of values. */
export const commands = {
  trace,
  'pipeline list': list('listPipelines', 'pipelines', {
    summary: 'List assets with the number of their links.',
    options: {
      limit: { meaning: 'The number of assets to print.', default: '100' },
      offset: { meaning: 'The number of assets to pass over.', default: '0' },
    },
    row: ({ asset, links, name }) => [asset, `${links} links`, name],
    example: 'npx millrace pipeline list',
  }),
  'pipeline show': operation('getPipeline', {
    summary: "Show the links of an asset's pipeline; --json prints what can be saved again.",
    options: { asset: assetOption },
    lines: pipelineLines,
    example: `${each} npx millrace pipeline show $ASSET; done`,
  }),
  'pipeline save': operation('savePipeline', {
    summary: "Save a change of an asset's pipeline, all of it or nothing.",
    options: {
      asset: assetOption,
      file: {
        as: wholeBody,
        read: changeFile,
        required: true,
        meaning: 'A change as JSON or YAML: "links", and "whole" if they are all of them.',
      },
    },
    lines: pipelineLines,
    example: `echo '{"links": []}' > change.json && \
${each} npx millrace pipeline save $ASSET --file change.json; done`,
  }),
  'pipeline versions': operation('listPipelineVersions', {
    summary: "Print the versions of an asset's pipeline with what each changed, newest first.",
    ...versionsWords({ asset: assetOption }, differenceLines),
    example: `${each} npx millrace pipeline versions $ASSET; done`,
  }),
  'pipeline compare': operation('getPipelineVersion', {
    summary: "Print what changed from one version of an asset's pipeline to another.",
    ...compareWords({ asset: assetOption }, differenceLines),
    example: `${saved} compare $ASSET --to 1; done`,
  }),
  'pipeline restore': operation('restorePipeline', {
    summary: "Save an earlier version of an asset's pipeline again, as a new version.",
    options: { asset: assetOption, ...restoreOptions },
    lines: pipelineLines,
    example: `${saved} restore $ASSET --to 1; done`,
  }),
  'pipeline simulate': operation('simulatePipeline', {
    summary: 'Run recorded values through a changed pipeline, beside the one that runs.',
    options: {
      asset: assetOption,
      from: {
        read: parseMicroseconds,
        meaning: 'The begin of the recording, such as 2026-01-31T08:00Z.',
      },
      to: {
        take: (option, text) =>
          text === undefined ? Date.now() * usPerMs : parseMicroseconds(option, text),
        meaning: 'Its end. Default: now.',
      },
      change: { read: changeFile, meaning: 'The change to try, as for millrace pipeline save.' },
      store: "Store the values of functions' outlets, for signals without any in that time.",
    },
    lines: simulationLines,
    example: `${each} npx millrace pipeline simulate $ASSET --from 2026-01-01; done`,
  }),
}

function differenceLines(difference: NonNullable<Schemas['PipelineVersion']['difference']>) {
  return partLines('link', difference)
}

/** The version of a pipeline, and a line for each link. */
function pipelineLines({ version, saved_at: at, saved_by: by, links }: Schemas['Pipeline']) {
  const head =
    at === null ? 'version 0' : `version ${version}  ${formatTime(at)}  ${by ?? 'platform'}`
  const rows = links.map(({ id = '', type = '', functionId = '', enabled, name = '' }) => {
    return [id, type, functionId, enabled === false ? 'disabled' : 'enabled', name]
  })
  return [head, ...columns(rows)]
}

function simulationLines(simulation: Schemas['Simulation']): string[] {
  const { values, live, changed, difference, stored, notes } = simulation
  const before = new Map(live.rules.map((rule) => [rule.linkId, rule.fired]))
  const ran = new Map(live.actions.map((action) => [action.linkId, action.count]))
  return [
    `${values} recorded values`,
    ...changed.rules.map(({ linkId, name, fired, changes }) => {
      const at = changes.filter(({ level, previous }) => level > previous).slice(0, timesShown)
      const times = at.map(({ ts, level }) => `${formatTime(ts)} to ${level}`).join(', ')
      const was = before.has(linkId) ? `, now ${before.get(linkId)}` : ''
      return `rule "${name}" would have fired ${fired} times${was}${times && `: ${times}`}`
    }),
    ...changed.actions.map(({ linkId, name, count }) => {
      const was = ran.has(linkId) ? `, now ${ran.get(linkId)}` : ''
      return `action "${name}" would have run ${count} times${was}`
    }),
    ...difference.signals.map(({ name, count, first: { ts, ...first } }) => {
      const values = `${JSON.stringify(first.live)} is ${JSON.stringify(first.changed)}`
      return `signal "${name}" differs ${count} times, first at ${formatTime(ts)}: ${values}`
    }),
    ...changed.failures.map(
      ({ name, count, reason }) => `"${name}" failed ${count} times: ${reason}`,
    ),
    ...stored.map(({ name, count }) => `signal "${name}": ${count} values stored`),
    ...notes.map((note) => `note: ${note}`),
  ]
}

const timesShown = 5
