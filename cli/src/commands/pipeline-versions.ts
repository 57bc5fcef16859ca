import { type components, unwrap } from '@millrace/client'
import { defineCommand } from '../command.ts'
import { wholeNumber } from '../input.ts'
import { differenceLines, partLines, versionRows } from '../output/differences.ts'
import { columns } from '../output/output.ts'
import { assetOption, each, show } from './pipelines.ts'

type Difference = NonNullable<components['schemas']['PipelineVersion']['difference']>

/** Where something was saved; the pipelines of a new demo may have no version yet. */
const saved = `${each} npx millrace pipeline show $ASSET --json | grep -q '"version": 0' || \
npx millrace pipeline`

export const pipelineVersions = defineCommand({
  options: {
    asset: assetOption,
    rows: { meaning: 'The most rows.', default: '50' },
    offset: { meaning: 'The number of versions to pass over.', default: '0' },
  },
  operand: 'asset',
  example: `${each} npx millrace pipeline versions $ASSET; done`,
  routes: ['listPipelineVersions'],
  async run({ asset, rows, offset }, { client, out }) {
    const api = await client()
    const query = { limit: wholeNumber('rows', rows), offset: wholeNumber('offset', offset) }
    const params = { path: { asset }, query }
    const { versions } = await unwrap(api.GET('/api:1/pipelines/{asset}/versions', { params }))
    out.show(versions, () => columns(versionRows(versions, linesOf)))
    return undefined
  },
})

export const pipelineCompare = defineCommand({
  options: {
    asset: assetOption,
    to: { meaning: 'The version to compare.', required: true },
    from: { meaning: 'The version with which it is compared. Default: the one before.' },
  },
  operand: 'asset',
  example: `${saved} compare $ASSET --to 1; done`,
  routes: ['getPipelineVersion'],
  async run({ asset, to, from }, { client, out }) {
    const api = await client()
    const params = {
      path: { asset, version: `${wholeNumber('to', to)}` },
      query: from === undefined ? {} : { since: wholeNumber('from', from) },
    }
    const { difference } = await unwrap(
      api.GET('/api:1/pipelines/{asset}/versions/{version}', { params }),
    )
    out.show(difference, () => differenceLines(difference, linesOf))
    return undefined
  },
})

export const pipelineRestore = defineCommand({
  options: {
    asset: assetOption,
    to: { meaning: 'The version to go back to.', required: true },
    current: { meaning: 'The newest version that was seen; refused if there is a newer one.' },
  },
  operand: 'asset',
  example: `${saved} restore $ASSET --to 1; done`,
  routes: ['restorePipeline'],
  async run({ asset, to, current }, { client, out }) {
    const api = await client()
    const body = {
      version: wholeNumber('to', to),
      ...(current !== undefined && { current: wholeNumber('current', current) }),
    }
    const params = { path: { asset } }
    show(await unwrap(api.POST('/api:1/pipelines/{asset}/restore', { params, body })), out)
    return undefined
  },
})

function linesOf(difference: Difference): string[] {
  return partLines('link', difference)
}
