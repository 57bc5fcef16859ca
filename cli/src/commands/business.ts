import type { components } from '@millrace/client'
import { command, UsageError } from '../command.ts'
import { yesOrNo } from '../input.ts'
import { list, operation, type Read } from '../operation.ts'
import { columns, formatTime } from '../output/output.ts'
import { passwordOption, plain } from './options.ts'

const newBusiness = (name: string, email: string) =>
  `echo 'a long phrase' | npx millrace business create --name ${name} ` +
  `--email ${email} --password-file -`

const nameOption = { as: 'business', meaning: 'The name or the id of the business.' }

/** A quota: the most of something, or none. */
const most = (of: string) => {
  return { read: parseMost, meaning: `The most ${of}; "none" takes the quota away.` }
}

const parseMost: Read = (option, text) => {
  if (text === 'none') return null
  const number = Number(text)
  if (Number.isSafeInteger(number) && number >= 1) return number
  throw new UsageError(`${option.replace('-', '_')} must be a whole number, or none`)
}

/** The commands of businesses. */
export const commands = {
  'business create': operation('createBusiness', {
    summary: 'Create a business with its first account, an administrator.',
    options: {
      name: 'The name of the business.',
      email: "The account holder's e-mail address.",
      'password-file': passwordOption,
    },
    lines: ({ id }) => [id],
    example: newBusiness('Acme', 'ops@acme.example'),
  }),
  'business list': list('listBusinesses', 'businesses', {
    summary: 'Print the businesses of the instance.',
    row: ({ id, name }) => [id, name],
    example: 'npx millrace business list',
  }),
  'business show': operation('getBusiness', {
    summary: 'Print your business, with its settings.',
    lines: settingLines,
    example: 'npx millrace business show',
  }),
  'business health': operation('getBusinessHealth', {
    summary: 'Show whether the instance works, and what waits or ends soon of a business.',
    lines: (health) => columns(healthRows(health)),
    example: 'npx millrace business health',
  }),
  'business usage': command('Show what a business has and uses, with its quotas.', {
    options: { all: { meaning: 'Show those of all businesses, for the operator.', flag: true } },
    example: 'npx millrace business usage',
    routes: ['getUsage', 'listUsage'],
    async run({ all }, { call, out }) {
      if (!all) {
        const usage = await call('getUsage')
        out.show(usage, () => columns(usageRows(usage)))
        return
      }
      const { businesses } = await call('listUsage')
      const rows = businesses.flatMap(({ name, usage }) =>
        usageRows(usage).map((row) => [name, ...row]),
      )
      out.show(businesses, () => columns(rows))
    },
  }),
  'business quota': operation('setQuotas', {
    summary: 'Set the quotas of a business.',
    options: {
      devices: most('devices'),
      messages: most('messages a second'),
      storage: most('bytes of contents'),
      'script-cpu': most('milliseconds of CPU of scripts a minute'),
      tokens: most('API tokens'),
      users: most('users'),
    },
    lines: (quotas) =>
      columns(Object.entries(quotas).map(([kind, of]) => [kind, `${of ?? 'none'}`])),
    example: 'npx millrace business quota --business Demo --tokens 1000',
  }),
  'business change': operation('changeBusiness', {
    summary: 'Change the settings of your business.',
    options: {
      'demand-totp': {
        as: 'totp_demanded',
        read: yesOrNo,
        meaning: 'Whether users need a second step to sign in: yes or no.',
      },
    },
    lines: settingLines,
    example: 'npx millrace business change --demand-totp no',
  }),
  'business remove': operation('deleteBusiness', {
    summary: 'Delete a business with everything that it has.',
    options: { name: nameOption },
    preview: 'getBusinessDependants',
    confirm: 'Delete the business {name} with everything that it has?',
    lines: ({ name }) => [`the business ${name} is closed; its rows are being removed`],
    example:
      `${newBusiness('Gone', 'ops@gone.example')} && ` +
      'npx millrace business remove Gone --confirm Gone --yes',
  }),
  'business deletion': operation('getBusinessDeletion', {
    summary: 'Print the progress of the deletion of a business.',
    options: { name: nameOption },
    lines: ({ id, name, step, removed }) =>
      columns([
        ['id', id],
        ['name', name],
        ['step', step],
        ['rows removed', String(removed)],
      ]),
    example:
      `${newBusiness('Gone2', 'ops@gone2.example')} && ` +
      'npx millrace business remove Gone2 --confirm Gone2 --yes && ' +
      'npx millrace business deletion Gone2',
  }),
}

type Schemas = components['schemas']

function settingLines({ id, name, totp_demanded: demanded }: Schemas['BusinessSettings']) {
  return columns([
    ['id', id],
    ['name', name],
    ['second step demanded', demanded ? 'yes' : 'no'],
  ])
}

function usageRows(usage: Schemas['BusinessUsage']): string[][] {
  return Object.entries(usage).map(([kind, { used, most: of }]) => {
    return [kind, `${used}`, `of ${of ?? 'any number'}`]
  })
}

const certificateKinds = {
  client_ca: 'client CA',
  authority: 'authority',
  revocation_list: 'revocation list',
} as const

function healthRows({ instance, waiting, modules, certificates }: Schemas['BusinessHealth']) {
  const formatCount = (count: number) => (count < waiting.most ? `${count}` : `${count} or more`)
  return [
    ['version', instance.version],
    ['ready', instance.reason ?? 'yes'],
    ...Object.entries(waiting.stages).map(([stage, count]) => [
      stage,
      `${formatCount(count)} wait`,
    ]),
    ...modules.map(({ name, failures_in_row: failures, last_failure: last }) => [
      `module ${plain(name)}`,
      failures === 0 ? 'answers' : `${failures} failures in a row: ${plain(last ?? '')}`,
    ]),
    ...certificates.map(({ connector, kind, until }) => [
      `connector ${connector}`,
      `${certificateKinds[kind]} until ${formatTime(until)}`,
    ]),
  ]
}
