import { type components, unwrap } from '@millrace/client'
import { defineCommand, UsageError } from '../../command.ts'
import type { Input } from '../../input.ts'
import { timeOf } from '../../output/output.ts'
import { connectorOption } from '../options.ts'
import { identityOption, selectionOf, selectionOptions } from './options.ts'

const keyFiles = ['password', 'certificate', 'csr'] as const

export const deviceRotate = defineCommand({
  options: {
    connector: connectorOption,
    identity: identityOption,
    window: { meaning: 'The time in which both are valid, such as 24h or 7d.', default: '24h' },
    token: { meaning: 'Create the new token now and print it, once.', flag: true },
    password: { meaning: 'A file with the new password; - is the standard input.' },
    certificate: { meaning: 'A file with the new certificate, PEM.' },
    csr: { meaning: 'A file with a signing request, PEM; the certificate is printed.' },
    cancel: { meaning: 'Cancel the rotation, if the new credential was not used yet.', flag: true },
  },
  example: 'npx millrace device rotate --connector demo --identity my-device --window 24h',
  routes: ['openRotation', 'cancelRotation'],
  async run({ connector, identity, window, cancel, ...given }, { client, input, out }) {
    const params = { path: { connector, identity } }
    const path = '/api:1/service/{connector}/device2/identity/{identity}/rotation'
    if (cancel) {
      await unwrap((await client()).DELETE(path, { params }))
      out.print(`the rotation of ${identity} is cancelled`)
      return undefined
    }
    const hours = hoursOf(window)
    const auth = await credentialOf(input, given)
    const body = { hours, ...(auth !== undefined && { auth }) }
    const opened = await unwrap((await client()).PUT(path, { params, body }))
    out.show(opened, () => linesOf(identity, opened))
    return undefined
  },
})

/** @throws UsageError */
function hoursOf(window: string): number {
  const [, count = '', unit] = /^([0-9]{1,6})([hd])$/.exec(window) ?? []
  if (count === '') throw new UsageError('--window is hours or days, such as 24h or 7d')
  return Number(count) * (unit === 'd' ? 24 : 1)
}

type Given = Readonly<Record<(typeof keyFiles)[number], string | undefined>> & {
  readonly token: boolean
}

/** @throws UsageError */
async function credentialOf(input: Input, given: Given) {
  const files = keyFiles.filter((name) => given[name] !== undefined)
  const [type, ...others] = [...files, ...(given.token ? (['token'] as const) : [])]
  if (others.length > 0) throw new UsageError('only one new credential can be given')
  if (type === undefined) return undefined
  if (type === 'token') return { type }
  const file = given[type] ?? ''
  const read = type === 'password' ? input.readSecret(type, file) : input.textOfFile(type, file)
  return { type, key: await read }
}

function linesOf(
  identity: string,
  { given, until, token, certificate }: components['schemas']['OpenedRotation'],
): string[] {
  const end = timeOf(until)
  return [
    ...(token === undefined ? [] : [token]),
    ...(certificate === undefined ? [] : [certificate.trimEnd()]),
    given
      ? `${identity}: the one before works until the new one is used, at most until ${end}`
      : `${identity} may get a new credential with its old one until ${end}`,
  ]
}

export const deviceReprovision = defineCommand({
  options: { connector: connectorOption, ...selectionOptions },
  example: 'npx millrace device reprovision --connector demo --tag site=lab',
  routes: ['orderReprovision'],
  async run({ connector, ...selected }, { client, out, confirm }) {
    const body = selectionOf(selected)
    const api = await client()
    if (selected.all) await confirm(`Revoke the credential of every device of ${connector}?`)
    const params = { path: { connector } }
    const path = '/api:1/service/{connector}/device2/reprovision'
    const answer = await unwrap(api.POST(path, { params, body }))
    out.show(answer, () => [`${answer.ordered} ordered to activate again`])
    return undefined
  },
})
