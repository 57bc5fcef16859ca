import { type components, unwrap } from '@millrace/client'
import { defineCommand, UsageError } from '../command.ts'
import { jsonOfText, wholeNumber } from '../input.ts'
import { timeOf } from '../output/output.ts'

type FailedCall = components['schemas']['FailedCall']

const route = '/api:1/failed-calls'

export const moduleFailures = defineCommand({
  options: {
    limit: { meaning: 'The number of calls to print.', default: '20' },
    asset: { meaning: 'Print only those of the asset with this id.' },
    link: { meaning: 'Print only those of the link with this id.' },
    id: { meaning: 'Print only the request of this failed call, as JSON.' },
  },
  example: 'npx millrace module failures',
  routes: ['listFailedCalls', 'getFailedCall'],
  async run({ limit: text, asset, link, id }, { client, out }) {
    const api = await client()
    if (id !== undefined) {
      const call = await unwrap(api.GET(`${route}/{id}`, { params: { path: { id } } }))
      out.show(call, () => [JSON.stringify(call.request, undefined, 2)])
      return undefined
    }
    const limit = wholeNumber('limit', text)
    if (limit < 1) throw new UsageError('--limit is at least 1')
    const query = {
      limit,
      ...(asset === undefined ? {} : { asset }),
      ...(link === undefined ? {} : { link }),
    }
    const page = await unwrap(api.GET(route, { params: { query } }))
    out.show(page.calls, () => page.calls.map(lineOf))
    if (page.mayLoadMore) out.note('There are more; --limit shows them.')
    return undefined
  },
})

function lineOf({ id, failed_at: failedAt, asset, error, tries, ...call }: FailedCall): string {
  const often = tries === 1 ? '1 try' : `${tries} tries`
  const what = `asset ${asset}  ${call.link_name ?? 'not begun'}  ${error.reason}`
  return `${id}  ${timeOf(failedAt)}  ${often}  ${what}`.replaceAll(/\p{Cc}/gu, ' ')
}

function dataOf(text: string): unknown[] {
  const data = jsonOfText('data', text)
  if (!Array.isArray(data)) throw new UsageError('--data is a JSON array')
  return data
}

export const moduleCorrect = defineCommand({
  options: {
    id: { meaning: 'The id of the failed call; see millrace module failures.', required: true },
    data: {
      meaning: 'A JSON array, in place of the "data" of the request that failed.',
      required: true,
    },
  },
  operand: 'id',
  example:
    'DATA=\'[{"ts":1767225600000000,"value":21,"origin":"o","generated":"o"}]\' && ' +
    'for ID in $(npx millrace module failures --limit 1 | cut -d" " -f1); do ' +
    'npx millrace module correct $ID --data "$DATA"; done',
  routes: ['correctFailedCall'],
  async run({ id, data }, { client, out }) {
    const api = await client()
    const body = { data: dataOf(data) }
    await unwrap(api.PUT(`${route}/{id}`, { params: { path: { id } }, body }))
    out.print(`${id} is corrected`)
    return undefined
  },
})

export const moduleRetry = defineCommand({
  options: {
    id: { meaning: 'The id of one failed call. Default: all of them.' },
    data: { meaning: 'A JSON array, in place of the "data" of its request.' },
  },
  example: 'npx millrace module retry',
  routes: ['retryFailedCall', 'retryFailedCalls'],
  async run({ id, data }, { client, out }) {
    const api = await client()
    if (id === undefined) {
      if (data !== undefined) throw new UsageError('--data needs --id')
      const answer = await unwrap(api.POST(`${route}/retry`))
      out.show(answer, () => [`${answer.retried} will be called again`])
      return undefined
    }
    const params = { path: { id } }
    const body = data === undefined ? {} : { body: { data: dataOf(data) } }
    await unwrap(api.POST(`${route}/{id}/retry`, Object.assign({ params }, body)))
    out.print(`${id} will be called again`)
    return undefined
  },
})

export const moduleFailuresDiscard = defineCommand({
  options: { id: { meaning: 'The id of one failed call. Default: all of them.' } },
  example: 'npx millrace module failures discard --yes',
  routes: ['discardFailedCall', 'discardFailedCalls'],
  async run({ id }, { client, out, confirm }) {
    const api = await client()
    if (id === undefined) {
      await confirm('Delete all calls of functions that failed?')
      const answer = await unwrap(api.DELETE(route))
      out.show(answer, () => [`${answer.discarded} are discarded`])
      return undefined
    }
    await confirm(`Delete the failed call ${id}?`)
    await unwrap(api.DELETE(`${route}/{id}`, { params: { path: { id } } }))
    out.print(`${id} is discarded`)
    return undefined
  },
})
