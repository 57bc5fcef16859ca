import { type components, unwrap } from '@millrace/client'
import { defineCommand } from '../command.ts'
import { askNewSecret, readSecret, yesOrNo } from '../input.ts'
import { columns } from '../output/output.ts'

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
  async run({ name, email, 'password-file': file }, { client, out }) {
    const password =
      file === undefined
        ? await askNewSecret('password-file', 'Password')
        : await readSecret('password-file', file)
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

function rowsOf({ id, name, totp_demanded: demanded }: components['schemas']['BusinessSettings']) {
  return columns([
    ['id', id],
    ['name', name],
    ['second step demanded', demanded ? 'yes' : 'no'],
  ])
}
