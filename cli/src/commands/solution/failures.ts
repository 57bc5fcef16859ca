import { type components, unwrap } from '@millrace/client'
import { defineCommand, UsageError } from '../../command.ts'
import { jsonOfText, wholeNumber } from '../../input.ts'
import { timeOf } from '../../output/output.ts'
import { solutionOption } from '../options.ts'

type Failure = components['schemas']['Failure']

export const solutionFailures = defineCommand({
  options: {
    solution: solutionOption,
    limit: { meaning: 'The number of failures to print.', default: '20' },
    id: { meaning: 'Print only the argument of this failed call, as JSON.' },
  },
  example:
    'npx millrace solution create --id fails1 --name Failing && ' +
    'npx millrace solution failures --solution fails1',
  routes: ['listFailures', 'getFailure'],
  async run({ solution, limit: text, id }, { client, out }) {
    const api = await client()
    if (id !== undefined) {
      const params = { path: { solution, id } }
      const failure = await unwrap(api.GET('/api:1/solution/{solution}/failures/{id}', { params }))
      out.show(failure, () => [JSON.stringify(failure.argument ?? null, undefined, 2)])
      return undefined
    }
    const limit = wholeNumber('limit', text)
    if (limit < 1) throw new UsageError('--limit is at least 1')
    const params = { path: { solution }, query: { limit } }
    const page = await unwrap(api.GET('/api:1/solution/{solution}/failures', { params }))
    out.show(page.failures, () => page.failures.map(lineOf))
    if (page.mayLoadMore) out.note('There are more; --limit shows them.')
    return undefined
  },
})

function lineOf({ id, service, event, error, tries, failed_at: failedAt }: Failure): string {
  const what = `${service}_${event}  ${error.status} ${error.error}`
  const often = tries === 1 ? '1 try' : `${tries} tries`
  return `${id}  ${timeOf(failedAt)}  ${often}  ${what}`.replaceAll(/\p{Cc}/gu, ' ')
}

export const solutionRetry = defineCommand({
  options: {
    solution: solutionOption,
    id: { meaning: 'The id of one failure. Default: all of them.' },
    argument: { meaning: 'The JSON argument of the handler, in place of the stored one.' },
  },
  example:
    'npx millrace solution create --id again1 --name Again && ' +
    'npx millrace solution retry --solution again1',
  routes: ['retryFailure', 'retryFailures'],
  async run({ solution, id, argument }, { client, out }) {
    const api = await client()
    if (id === undefined) {
      if (argument !== undefined) throw new UsageError('--argument needs --id')
      const params = { path: { solution } }
      const answer = await unwrap(api.POST('/api:1/solution/{solution}/failures/retry', { params }))
      out.show(answer, () => [`${answer.retried} will be handled again`])
      return undefined
    }
    const params = { path: { solution, id } }
    const body =
      argument === undefined ? {} : { body: { argument: jsonOfText('argument', argument) } }
    await unwrap(
      api.POST('/api:1/solution/{solution}/failures/{id}/retry', Object.assign({ params }, body)),
    )
    out.print(`${id} will be handled again`)
    return undefined
  },
})

export const solutionFailuresDiscard = defineCommand({
  options: {
    solution: solutionOption,
    id: { meaning: 'The id of one failure. Default: all of them.' },
  },
  example:
    'npx millrace solution create --id forget1 --name Forgetting && ' +
    'npx millrace solution failures discard --solution forget1 --yes',
  routes: ['discardFailure', 'discardFailures'],
  async run({ solution, id }, { client, out, confirm }) {
    const api = await client()
    const route = '/api:1/solution/{solution}/failures'
    if (id === undefined) {
      await confirm(`Delete all events that ${solution} failed to handle?`)
      const answer = await unwrap(api.DELETE(route, { params: { path: { solution } } }))
      out.show(answer, () => [`${answer.discarded} are discarded`])
      return undefined
    }
    await confirm(`Delete the event ${id} that ${solution} failed to handle?`)
    await unwrap(api.DELETE(`${route}/{id}`, { params: { path: { solution, id } } }))
    out.print(`${id} is discarded`)
    return undefined
  },
})
