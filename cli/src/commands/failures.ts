import type { components } from '@millrace/client'
import { command, UsageError } from '../command.ts'
import { jsonOfText, wholeNumber } from '../input.ts'
import { operation, type Read } from '../operation.ts'
import { columns, formatTime } from '../output/output.ts'
import { newSolution, solutionOption } from './options.ts'

type Schemas = components['schemas']
type StageFailure = Schemas['StageFailure']
type Stage = StageFailure['stage']

const stages: readonly Stage[] = [
  ...(['values', 'functions', 'scripts'] as const),
  ...(['functions.calls', 'deliveries', 'notifications'] as const),
]
const stageOption = { meaning: 'The stage, as the ledger names it.', choices: stages }
const idMeaning = 'The id of one failure; see millrace failure list.'
const allMeaning = 'The id of one failed call. Default: all of them.'
const first = "$(npx millrace failure list --limit 1 | awk '{print $1, $2}')"

const fromOne: Read = (option, text) => {
  const number = wholeNumber(option, text)
  if (number >= 1) return number
  throw new UsageError(`--${option} is at least 1`)
}

const parseArray: Read = (option, text) => {
  const data = jsonOfText(option, text)
  if (Array.isArray(data)) return data
  throw new UsageError(`--${option} is a JSON array`)
}

const limitOption = (of: string) => {
  return { read: fromOne, default: '20', meaning: `The number of ${of} to print.` }
}

/** The commands of failures of every stage. */
export const commands = {
  'failure list': operation('listStageFailures', {
    summary: 'Print the failures of every stage, newest first.',
    options: {
      stage: { meaning: 'Only those of this stage.', choices: stages },
      limit: limitOption('failures'),
    },
    data: ({ failures }) => failures,
    lines: ({ failures }) => failures.map(stageLine),
    example: 'npx millrace failure list',
  }),
  'failure count': operation('countStageFailures', {
    summary: 'Print the number of failures of each stage.',
    lines({ most, stages: counts }) {
      const formatCount = (count: number) => (count < most ? `${count}` : `${count} or more`)
      return columns(stages.map((one) => [one, formatCount(counts[one])]))
    },
    example: 'npx millrace failure count',
  }),
  'failure show': operation('getStageFailure', {
    summary: 'Print one failure with its input.',
    options: { stage: stageOption, id: idMeaning },
    operand: 'stage',
    secondOperand: 'id',
    lines: (found) => [stageLine(found), JSON.stringify(found.input, undefined, 2)],
    example: `npx millrace failure show ${first} || true`,
  }),
  'failure retry': command(
    'Send again what failed at a stage: one message, also corrected, or all.',
    {
      options: {
        stage: { ...stageOption, required: true },
        id: { meaning: `${idMeaning} Default: all of the stage.` },
        file: {
          meaning: 'A JSON or YAML file with the corrected input, in place of the one before.',
        },
      },
      operand: 'stage',
      secondOperand: 'id',
      example: 'npx millrace failure retry values',
      routes: ['retryStageFailure', 'retryStageFailures'],
      async run({ stage: at, id, file }, { call, input, out }) {
        const stage = at as Stage
        if (id === undefined) {
          if (file !== undefined) throw new UsageError('--file needs --id')
          const answer = await call('retryStageFailures', { stage })
          out.show(answer, () => [`${answer.retried} are sent again`])
          return
        }
        const corrected = file === undefined ? undefined : await input.yamlOfFile('file', file)
        await call('retryStageFailure', { stage, id, input: corrected })
        out.print(`${id} is sent again`)
      },
    },
  ),
  'failure discard': command('Discard what failed at a stage: one message, or all.', {
    options: {
      stage: { ...stageOption, required: true },
      id: { meaning: `${idMeaning} Default: all of the stage.` },
    },
    operand: 'stage',
    secondOperand: 'id',
    example: 'npx millrace failure discard values --yes',
    routes: ['discardStageFailure', 'discardStageFailures'],
    async run({ stage: at, id }, { call, out, confirm }) {
      const stage = at as Stage
      if (id === undefined) {
        await confirm(`Discard all that failed at the stage ${stage}?`)
        const answer = await call('discardStageFailures', { stage })
        out.show(answer, () => [`${answer.discarded} are discarded`])
        return
      }
      await confirm(`Discard ${id}?`)
      await call('discardStageFailure', { stage, id })
      out.print(`${id} is discarded`)
    },
  }),
}

function stageLine({ stage, id, failed_at: failedAt, about, reason }: StageFailure): string {
  const { connector, device, solution, event, notification, link_name: link, asset } = about
  const named = { connector, device, asset, link, solution, event, notification }
  const what = Object.entries(named).flatMap(([key, value]) => (value ? [`${key} ${value}`] : []))
  const cells = [stage, id, formatTime(failedAt), what.join(' '), reason]
  return cells.join('  ').replaceAll(/\p{Cc}/gu, ' ')
}

const formatTries = (tries: number) => (tries === 1 ? '1 try' : `${tries} tries`)

/** The commands of calls of functions that failed. */
export const callCommands = {
  'module failures': command('Print the calls of functions that failed, newest first.', {
    options: {
      limit: { meaning: 'The number of calls to print.', default: '20' },
      asset: { meaning: 'Print only those of the asset with this id.' },
      link: { meaning: 'Print only those of the link with this id.' },
      id: { meaning: 'Print only the request of this failed call, as JSON.' },
    },
    example: 'npx millrace module failures',
    routes: ['listFailedCalls', 'getFailedCall'],
    async run({ limit: text, asset, link, id }, context) {
      const { call, out } = context
      if (id !== undefined) {
        const found = await call('getFailedCall', { id })
        out.show(found, () => [JSON.stringify(found.request, undefined, 2)])
        return
      }
      const limit = fromOne('limit', text, context) as number
      const page = await call('listFailedCalls', { limit, asset, link })
      out.show(page.calls, () => page.calls.map(callLine))
      if (page.mayLoadMore) out.note('There are more; --limit shows them.')
    },
  }),
  'module failures discard': command('Delete calls of functions that failed: one, or all.', {
    options: { id: { meaning: allMeaning } },
    example: 'npx millrace module failures discard --yes',
    routes: ['discardFailedCall', 'discardFailedCalls'],
    async run({ id }, { call, client, out, confirm }) {
      await client()
      if (id === undefined) {
        await confirm('Delete all calls of functions that failed?')
        const answer = await call('discardFailedCalls')
        out.show(answer, () => [`${answer.discarded} are discarded`])
        return
      }
      await confirm(`Delete the failed call ${id}?`)
      await call('discardFailedCall', { id })
      out.print(`${id} is discarded`)
    },
  }),
  'module correct': operation('correctFailedCall', {
    summary: 'Replace the data of a call that failed, without making it again.',
    options: {
      id: 'The id of the failed call; see millrace module failures.',
      data: {
        read: parseArray,
        required: true,
        meaning: 'A JSON array, in place of the "data" of the request that failed.',
      },
    },
    done: '{id} is corrected',
    example:
      'DATA=\'[{"ts":1767225600000000,"value":21,"origin":"o","generated":"o"}]\' && ' +
      'for ID in $(npx millrace module failures --limit 1 | cut -d" " -f1); do ' +
      'npx millrace module correct $ID --data "$DATA"; done',
  }),
  'module retry': command('Make calls of functions that failed again: one, or all.', {
    options: {
      id: { meaning: allMeaning },
      data: { meaning: 'A JSON array, in place of the "data" of its request.' },
    },
    example: 'npx millrace module retry',
    routes: ['retryFailedCall', 'retryFailedCalls'],
    async run({ id, data }, context) {
      const { call, out } = context
      if (id === undefined) {
        if (data !== undefined) throw new UsageError('--data needs --id')
        const answer = await call('retryFailedCalls')
        out.show(answer, () => [`${answer.retried} will be called again`])
        return
      }
      const read = data === undefined ? undefined : (parseArray('data', data, context) as never[])
      await call('retryFailedCall', { id, data: read })
      out.print(`${id} will be called again`)
    },
  }),
}

/** The commands of events that a solution failed to handle. */
export const eventCommands = {
  'solution failures': command('Print the events that a solution failed to handle, newest first.', {
    options: {
      solution: solutionOption,
      limit: { meaning: 'The number of failures to print.', default: '20' },
      id: { meaning: 'Print only the argument of this failed call, as JSON.' },
    },
    example: `${newSolution('fails1', 'Failing')} solution failures --solution fails1`,
    routes: ['listFailures', 'getFailure'],
    async run({ solution, limit: text, id }, context) {
      const { call, out } = context
      if (id !== undefined) {
        const failure = await call('getFailure', { solution, id })
        out.show(failure, () => [JSON.stringify(failure.argument ?? null, undefined, 2)])
        return
      }
      const limit = fromOne('limit', text, context) as number
      const page = await call('listFailures', { solution, limit })
      out.show(page.failures, () => page.failures.map(eventLine))
      if (page.mayLoadMore) out.note('There are more; --limit shows them.')
    },
  }),
  'solution failures discard': command(
    'Delete events that a solution failed to handle: one, or all.',
    {
      options: {
        solution: solutionOption,
        id: { meaning: 'The id of one failure. Default: all of them.' },
      },
      example: `${newSolution('forget1', 'Forgetting')} solution failures discard --solution forget1 --yes`,
      routes: ['discardFailure', 'discardFailures'],
      async run({ solution, id }, { call, client, out, confirm }) {
        await client()
        if (id === undefined) {
          await confirm(`Delete all events that ${solution} failed to handle?`)
          const answer = await call('discardFailures', { solution })
          out.show(answer, () => [`${answer.discarded} are discarded`])
          return
        }
        await confirm(`Delete the event ${id} that ${solution} failed to handle?`)
        await call('discardFailure', { solution, id })
        out.print(`${id} is discarded`)
      },
    },
  ),
  'solution retry': command('Retry events that a solution failed to handle: one, or all.', {
    options: {
      solution: solutionOption,
      id: { meaning: 'The id of one failure. Default: all of them.' },
      argument: { meaning: 'The JSON argument of the handler, in place of the stored one.' },
    },
    example: `${newSolution('again1', 'Again')} solution retry --solution again1`,
    routes: ['retryFailure', 'retryFailures'],
    async run({ solution, id, argument: text }, { call, out }) {
      if (id === undefined) {
        if (text !== undefined) throw new UsageError('--argument needs --id')
        const answer = await call('retryFailures', { solution })
        out.show(answer, () => [`${answer.retried} will be handled again`])
        return
      }
      const argument = text === undefined ? undefined : jsonOfText('argument', text)
      await call('retryFailure', { solution, id, argument })
      out.print(`${id} will be handled again`)
    },
  }),
}

function eventLine({ id, service, event, error, tries, failed_at: failedAt }: Schemas['Failure']) {
  const what = `${service}_${event}  ${error.status} ${error.error}`
  return `${id}  ${formatTime(failedAt)}  ${formatTries(tries)}  ${what}`.replaceAll(
    /\p{Cc}/gu,
    ' ',
  )
}

function callLine({
  id,
  failed_at: failedAt,
  asset,
  error,
  tries,
  ...call
}: Schemas['FailedCall']) {
  const what = `asset ${asset}  ${call.link_name ?? 'not begun'}  ${error.reason}`
  return `${id}  ${formatTime(failedAt)}  ${formatTries(tries)}  ${what}`.replaceAll(
    /\p{Cc}/gu,
    ' ',
  )
}
