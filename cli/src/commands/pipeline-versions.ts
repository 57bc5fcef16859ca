import { type components, unwrap } from '@millrace/client'
import { defineCommand } from '../command.ts'
import { differenceLines, partLines, versionRows } from '../output/differences.ts'
import { columns } from '../output/output.ts'
import { assetOption, each, show } from './pipelines.ts'
import { comparedOf, pageOf, restoredOf, versionOptions } from './versions.ts'

type Difference = NonNullable<components['schemas']['PipelineVersion']['difference']>

/** Where something was saved; the pipelines of a new demo may have no version yet. */
const saved = `${each} npx millrace pipeline show $ASSET --json | grep -q '"version": 0' || \
npx millrace pipeline`

export const pipelineVersions = defineCommand({
  options: {
    asset: assetOption,
    ...versionOptions.list,
  },
  operand: 'asset',
  example: `${each} npx millrace pipeline versions $ASSET; done`,
  routes: ['listPipelineVersions'],
  async run({ asset, ...page }, { client, out }) {
    const api = await client()
    const params = { path: { asset }, query: pageOf(page) }
    const { versions } = await unwrap(api.GET('/api:1/pipelines/{asset}/versions', { params }))
    out.show(versions, () => columns(versionRows(versions, linesOf)))
    return undefined
  },
})

export const pipelineCompare = defineCommand({
  options: {
    asset: assetOption,
    ...versionOptions.compare,
  },
  operand: 'asset',
  example: `${saved} compare $ASSET --to 1; done`,
  routes: ['getPipelineVersion'],
  async run({ asset, ...compared }, { client, out }) {
    const api = await client()
    const { version, query } = comparedOf(compared)
    const params = { path: { asset, version }, query }
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
    ...versionOptions.restore,
  },
  operand: 'asset',
  example: `${saved} restore $ASSET --to 1; done`,
  routes: ['restorePipeline'],
  async run({ asset, ...restored }, { client, out }) {
    const api = await client()
    const body = restoredOf(restored)
    const params = { path: { asset } }
    show(await unwrap(api.POST('/api:1/pipelines/{asset}/restore', { params, body })), out)
    return undefined
  },
})

function linesOf(difference: Difference): string[] {
  return partLines('link', difference)
}
