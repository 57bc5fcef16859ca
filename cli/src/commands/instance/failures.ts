import { type components, unwrap } from '@millrace/client'
import { defineCommand, UsageError } from '../../command.ts'
import { wholeNumber } from '../../input.ts'
import { columns, timeOf } from '../../output/output.ts'

type Failure = components['schemas']['StageFailure']
type Stage = Failure['stage']

const route = '/api:1/failures'
const stages: readonly Stage[] = [
  ...(['values', 'functions', 'scripts'] as const),
  ...(['functions.calls', 'deliveries', 'notifications'] as const),
]
const stage = {
  meaning: 'The stage, as the ledger names it.',
  choices: stages,
  required: true,
} as const
const id = 'The id of one failure; see millrace failure list.'
const first = "$(npx millrace failure list --limit 1 | awk '{print $1, $2}')"

export const failureList = defineCommand({
  options: {
    stage: { meaning: 'Only those of this stage.', choices: stages },
    limit: { meaning: 'The number of failures to print.', default: '20' },
  },
  example: 'npx millrace failure list',
  routes: ['listStageFailures'],
  async run({ stage: one, limit: text }, { client, out }) {
    const limit = wholeNumber('limit', text)
    if (limit < 1) throw new UsageError('--limit is at least 1')
    const query = Object.assign({ limit }, one === undefined ? {} : { stage: one as Stage })
    const page = await unwrap((await client()).GET(route, { params: { query } }))
    out.show(page.failures, () => page.failures.map(lineOf))
    if (page.mayLoadMore) out.note('There are more; --limit shows them.')
    return undefined
  },
})

function lineOf({ stage: at, id: own, failed_at: failedAt, about, reason }: Failure): string {
  const { connector, device, solution, event, notification, link_name: link, asset } = about
  const named = { connector, device, asset, link, solution, event, notification }
  const what = Object.entries(named).flatMap(([key, value]) => (value ? [`${key} ${value}`] : []))
  const cells = [at, own, timeOf(failedAt), what.join(' '), reason]
  return cells.join('  ').replaceAll(/\p{Cc}/gu, ' ')
}

export const failureCount = defineCommand({
  options: {},
  example: 'npx millrace failure count',
  routes: ['countStageFailures'],
  async run(_values, { client, out }) {
    const counts = await unwrap((await client()).GET(`${route}/count`))
    const { most } = counts
    const numberOf = (count: number) => (count < most ? `${count}` : `${count} or more`)
    const rows = stages.map((one) => [one, numberOf(counts.stages[one])])
    out.show(counts, () => columns(rows))
    return undefined
  },
})

export const failureShow = defineCommand({
  options: { stage, id: { meaning: id, required: true } },
  operand: 'stage',
  secondOperand: 'id',
  example: `npx millrace failure show ${first} || true`,
  routes: ['getStageFailure'],
  async run({ stage: at, id: own }, { client, out }) {
    const params = { path: { stage: at as Stage, id: own } }
    const found = await unwrap((await client()).GET(`${route}/{stage}/{id}`, { params }))
    out.show(found, () => [lineOf(found), JSON.stringify(found.input, undefined, 2)])
    return undefined
  },
})

export const failureRetry = defineCommand({
  options: {
    stage,
    id: { meaning: `${id} Default: all of the stage.` },
    file: { meaning: 'A JSON or YAML file with the corrected input, in place of the one before.' },
  },
  operand: 'stage',
  secondOperand: 'id',
  example: 'npx millrace failure retry values',
  routes: ['retryStageFailure', 'retryStageFailures'],
  async run({ stage: at, id: own, file }, { client, input, out }) {
    const api = await client()
    if (own === undefined) {
      if (file !== undefined) throw new UsageError('--file needs --id')
      const path = { stage: at as Stage }
      const answer = await unwrap(api.POST(`${route}/{stage}/retry`, { params: { path } }))
      out.show(answer, () => [`${answer.retried} are sent again`])
      return undefined
    }
    const path = { stage: at as Stage, id: own }
    const body = file === undefined ? {} : { input: await input.yamlOfFile('file', file) }
    await unwrap(api.POST(`${route}/{stage}/{id}/retry`, { params: { path }, body }))
    out.print(`${own} is sent again`)
    return undefined
  },
})

export const failureDiscard = defineCommand({
  options: { stage, id: { meaning: `${id} Default: all of the stage.` } },
  operand: 'stage',
  secondOperand: 'id',
  example: 'npx millrace failure discard values --yes',
  routes: ['discardStageFailure', 'discardStageFailures'],
  async run({ stage: at, id: own }, { client, out, confirm }) {
    const api = await client()
    if (own === undefined) {
      await confirm(`Discard all that failed at the stage ${at}?`)
      const path = { stage: at as Stage }
      const answer = await unwrap(api.DELETE(`${route}/{stage}`, { params: { path } }))
      out.show(answer, () => [`${answer.discarded} are discarded`])
      return undefined
    }
    await confirm(`Discard ${own}?`)
    const path = { stage: at as Stage, id: own }
    await unwrap(api.DELETE(`${route}/{stage}/{id}`, { params: { path } }))
    out.print(`${own} is discarded`)
    return undefined
  },
})
