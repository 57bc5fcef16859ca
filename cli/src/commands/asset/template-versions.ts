import { type components, unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { wholeNumber } from '../../input.ts'
import { differenceLines, partLines, versionRows } from '../../output/differences.ts'
import { columns } from '../../output/output.ts'
import { each, idOption } from './templates.ts'

type Difference = components['schemas']['TemplateDifference']

export const templateVersions = defineCommand({
  options: {
    id: idOption,
    rows: { meaning: 'The most rows.', default: '50' },
    offset: { meaning: 'The number of versions to pass over.', default: '0' },
  },
  operand: 'id',
  example: `${each} npx millrace template versions $TEMPLATE; done`,
  routes: ['listTemplateVersions'],
  async run({ id, rows, offset }, { client, out }) {
    const api = await client()
    const query = { limit: wholeNumber('rows', rows), offset: wholeNumber('offset', offset) }
    const params = { path: { template: id }, query }
    const { versions } = await unwrap(api.GET('/api:1/templates/{template}/versions', { params }))
    out.show(versions, () => columns(versionRows(versions, linesOf)))
    return undefined
  },
})

export const templateCompare = defineCommand({
  options: {
    id: idOption,
    to: { meaning: 'The version to compare.', required: true },
    from: { meaning: 'The version with which it is compared. Default: the one before.' },
  },
  operand: 'id',
  example: `${each} npx millrace template compare $TEMPLATE --to 1; done`,
  routes: ['getTemplateVersion'],
  async run({ id, to, from }, { client, out }) {
    const api = await client()
    const params = {
      path: { template: id, version: `${wholeNumber('to', to)}` },
      query: from === undefined ? {} : { since: wholeNumber('from', from) },
    }
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
    to: { meaning: 'The version to go back to.', required: true },
    current: { meaning: 'The newest version that was seen; refused if there is a newer one.' },
  },
  operand: 'id',
  example: `${each} npx millrace template restore $TEMPLATE --to 1; done`,
  routes: ['restoreTemplate'],
  async run({ id, to, current }, { client, out }) {
    const api = await client()
    const body = {
      version: wholeNumber('to', to),
      ...(current !== undefined && { current: wholeNumber('current', current) }),
    }
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
