import { type components, unwrap } from '@millrace/client'
import { defineCommand } from '../command.ts'
import { yesOrNo } from '../input.ts'
import { columns } from '../output/output.ts'
import { deletionOptions, showPreview } from '../output/preview.ts'

export const businessList = defineCommand({
  options: {},
  example: 'npx millrace business list',
  routes: ['listBusinesses'],
  async run(_values, { client, out }) {
    const api = await client()
    const { businesses } = await unwrap(api.GET('/api:1/businesses'))
    out.show(businesses, () => columns(businesses.map(({ id, name }) => [id, name])))
    return undefined
  },
})

export const businessCreate = defineCommand({
  options: {
    name: { meaning: 'The name of the business.', required: true },
    email: { meaning: "The account holder's e-mail address.", required: true },
    'password-file': {
      meaning: 'A file with the password; - is the standard input. Default: a prompt.',
    },
  },
  example:
    `echo 'a long phrase' | npx millrace business create --name Acme ` +
    '--email ops@acme.example --password-file -',
  routes: ['createBusiness'],
  async run({ name, email, 'password-file': file }, { client, input, out }) {
    const password = await input.newSecretOf('password-file', file, 'Password')
    const api = await client()
    const body = { name, email, password }
    const business = await unwrap(api.POST('/api:1/businesses', { body }))
    out.show(business, () => [business.id])
    return undefined
  },
})

export const businessShow = defineCommand({
  options: {},
  example: 'npx millrace business show',
  routes: ['getBusiness'],
  async run(_values, { client, out }) {
    const api = await client()
    const business = await unwrap(api.GET('/api:1/business'))
    out.show(business, () => rowsOf(business))
    return undefined
  },
})

export const businessChange = defineCommand({
  options: {
    'demand-totp': {
      meaning: 'Its users need a second step to sign in: yes or no.',
      required: true,
    },
  },
  example: 'npx millrace business change --demand-totp no',
  routes: ['changeBusiness'],
  async run({ 'demand-totp': demanded }, { client, out }) {
    const api = await client()
    const body = { totp_demanded: yesOrNo('demand-totp', demanded) }
    const business = await unwrap(api.PATCH('/api:1/business', { body }))
    out.show(business, () => rowsOf(business))
    return undefined
  },
})

export const businessRemove = defineCommand({
  options: {
    name: { meaning: 'The name or the id of the business.', required: true },
    ...deletionOptions,
  },
  operand: 'name',
  example:
    `echo 'a long phrase' | npx millrace business create --name Gone ` +
    '--email ops@gone.example --password-file - && ' +
    'npx millrace business remove Gone --confirm Gone --yes',
  routes: ['deleteBusiness', 'getBusinessDependants'],
  async run({ name, 'dry-run': dry, confirm: given }, { client, out, confirm }) {
    const api = await client()
    const path = { business: name }
    if (dry) {
      const url = '/api:1/businesses/{business}/dependants'
      showPreview(out, await unwrap(api.GET(url, { params: { path } })))
      return undefined
    }
    await confirm(`Delete the business ${name} with everything that it has?`)
    const params = { path, ...(given !== undefined && { query: { confirm: given } }) }
    const begun = await unwrap(api.DELETE('/api:1/businesses/{business}', { params }))
    out.show(begun, () => [`the business ${begun.name} is closed; its rows are being removed`])
    return undefined
  },
})

export const businessDeletion = defineCommand({
  options: { name: { meaning: 'The name or the id of the business.', required: true } },
  operand: 'name',
  example:
    `echo 'a long phrase' | npx millrace business create --name Gone2 ` +
    '--email ops@gone2.example --password-file - && ' +
    'npx millrace business remove Gone2 --confirm Gone2 --yes && ' +
    'npx millrace business deletion Gone2',
  routes: ['getBusinessDeletion'],
  async run({ name }, { client, out }) {
    const api = await client()
    const params = { path: { business: name } }
    const url = '/api:1/businesses/{business}/deletion'
    const deletion = await unwrap(api.GET(url, { params }))
    out.show(deletion, () =>
      columns([
        ['id', deletion.id],
        ['name', deletion.name],
        ['step', deletion.step],
        ['rows removed', String(deletion.removed)],
      ]),
    )
    return undefined
  },
})

function rowsOf({ id, name, totp_demanded: demanded }: components['schemas']['BusinessSettings']) {
  return columns([
    ['id', id],
    ['name', name],
    ['second step demanded', demanded ? 'yes' : 'no'],
  ])
}
