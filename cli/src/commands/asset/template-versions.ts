import { type components, unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { differenceLines, partLines, versionRows } from '../../output/differences.ts'
import { columns } from '../../output/output.ts'
import { comparedOf, pageOf, restoredOf, versionOptions } from '../versions.ts'
import { each, idOption } from './templates.ts'

type Difference = components['schemas']['TemplateDifference']

export const templateVersions = defineCommand({
  options: {
    id: idOption,
    ...versionOptions.list,
  },
  operand: 'id',
  example: `${each} npx millrace template versions $TEMPLATE; done`,
  routes: ['listTemplateVersions'],
  async run({ id, ...page }, { client, out }) {
    const api = await client()
    const params = { path: { template: id }, query: pageOf(page) }
    const { versions } = await unwrap(api.GET('/api:1/templates/{template}/versions', { params }))
    out.show(versions, () => columns(versionRows(versions, linesOf)))
    return undefined
  },
})

export const templateCompare = defineCommand({
  options: {
    id: idOption,
    ...versionOptions.compare,
  },
  operand: 'id',
  example: `${each} npx millrace template compare $TEMPLATE --to 1; done`,
  routes: ['getTemplateVersion'],
  async run({ id, ...compared }, { client, out }) {
    const api = await client()
    const { version, query } = comparedOf(compared)
    const params = { path: { template: id, version }, query }
    const { difference } = await unwrap(
      api.GET('/api:1/templates/{template}/versions/{version}', { params }),
    )
    out.show(difference, () => differenceLines(difference, linesOf))
    return undefined
  },
})

export const templateRestore = defineCommand({
  options: {
    id: idOption,
    ...versionOptions.restore,
  },
  operand: 'id',
  example: `${each} npx millrace template restore $TEMPLATE --to 1; done`,
  routes: ['restoreTemplate'],
  async run({ id, ...restored }, { client, out }) {
    const api = await client()
    const body = restoredOf(restored)
    const params = { path: { template: id } }
    const template = await unwrap(api.POST('/api:1/templates/{template}/restore', { params, body }))
    out.show(template, () => [`version ${template.version}`])
    return undefined
  },
})

/** A line for each field, signal and link that differs. */
function linesOf({ fields, signals, links }: Difference): string[] {
  return [...fields, ...partLines('signal', signals), ...partLines('link', links)]
}
