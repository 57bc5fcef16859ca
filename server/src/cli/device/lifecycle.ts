import { readFile } from 'node:fs/promises'
import type { OpenedRotation } from '../../provisioning/index.ts'
import { type Command, print, UsageError, withPlatform } from '../command.ts'
import { readSecret } from '../input.ts'
import { businessOption, connectorOption, ownerOf } from '../owner.ts'
import { timeOf } from './list.ts'
import { tagOf } from './windows.ts'

const keyFiles = ['password', 'certificate', 'csr'] as const

export const deviceRotate: Command = {
  name: 'device rotate',
  summary: 'Let a device have a second credential, until it uses the new one or the window ends.',
  options: {
    connector: connectorOption,
    identity: { meaning: 'The identity.', required: true },
    window: { meaning: 'The time in which both are valid, such as 24h or 7d.', default: '24h' },
    token: { meaning: 'Create the new token now and print it, once.', flag: true },
    password: { meaning: 'A file with the new password; - is the standard input.' },
    certificate: { meaning: 'A file with the new certificate, PEM.' },
    csr: { meaning: 'A file with a signing request, PEM; the certificate is printed.' },
    cancel: { meaning: 'Cancel the rotation, if the new credential was not used yet.', flag: true },
    business: businessOption,
  },
  example: 'npx millrace device rotate --connector demo --identity my-device --window 24h',
  run: ({ connector = '', business, identity = '', window = '', cancel, ...given }) =>
    withPlatform(async (platform) => {
      const { id } = await ownerOf(platform, business, connector)
      const { rotations } = platform.provisioning
      const where = [id, connector, identity] as const
      if (cancel === 'yes') {
        await rotations.cancel(...where)
        print(`the rotation of ${identity} is cancelled`)
        return 0
      }
      const input = { hours: hoursOf(window), ...(await keyOf(given)) }
      printRotation(identity, await rotations.open(...where, input))
      return 0
    }),
}

/** @throws UsageError */
function hoursOf(window: string): number {
  const [, count = '', unit] = /^([0-9]{1,6})([hd])$/.exec(window) ?? []
  if (count === '') throw new UsageError('--window is hours or days, such as 24h or 7d')
  return Number(count) * (unit === 'd' ? 24 : 1)
}

type Given = Readonly<Record<string, string | undefined>>

/** @throws UsageError */
async function keyOf(given: Given): Promise<{ authType?: string; key?: string }> {
  const files = keyFiles.filter((name) => given[name] !== undefined)
  const [authType, another] = [...files, ...(given.token === 'yes' ? ['token'] : [])]
  if (another !== undefined) throw new UsageError('only one new credential can be given')
  if (authType === undefined) return {}
  if (authType === 'token') return { authType }
  const file = given[authType] ?? ''
  const key = authType === 'password' ? readSecret(authType, file) : readFile(file, 'utf8')
  return { authType, key: await key }
}

function printRotation(
  identity: string,
  { given, until, token, certificate }: OpenedRotation,
): void {
  const end = timeOf(until)
  if (token !== undefined) print(token)
  if (certificate !== undefined) print(certificate.trimEnd())
  print(
    given
      ? `${identity}: the one before works until the new one is used, at most until ${end}`
      : `${identity} may get a new credential with its old one until ${end}`,
  )
}

export const deviceReprovision: Command = {
  name: 'device reprovision',
  summary: 'Order provisioned devices to activate again; their credentials are revoked at once.',
  options: {
    connector: connectorOption,
    identity: { meaning: 'One identity; or --tag, or --all.' },
    tag: { meaning: 'All identities with a tag: <name> or <name>=<value>.' },
    all: { meaning: 'All identities.', flag: true },
    business: businessOption,
  },
  example: 'npx millrace device reprovision --connector demo --tag site=lab',
  run: ({ connector = '', business, identity, tag, all }) =>
    withPlatform(async (platform) => {
      const { id } = await ownerOf(platform, business, connector)
      const { ordered } = await platform.provisioning.orderReprovision(id, connector, {
        ...(identity !== undefined && { identity }),
        ...(tag !== undefined && { tag: tagOf(tag) }),
        ...(all === 'yes' && { all: true }),
      })
      print(`${ordered} ordered to activate again`)
      return 0
    }),
}

export const deviceRemove: Command = {
  name: 'device remove',
  summary: 'Delete an identity with its credential and its values.',
  options: {
    connector: connectorOption,
    identity: { meaning: 'The identity.', required: true },
    business: businessOption,
  },
  example:
    'printf "ID\\npump-9\\n" > pump.csv && ' +
    'npx millrace device whitelist --connector demo --file pump.csv && ' +
    'npx millrace device remove --connector demo --identity pump-9',
  run: ({ connector = '', business, identity = '' }) =>
    withPlatform(async (platform) => {
      const { id } = await ownerOf(platform, business, connector)
      await platform.provisioning.identities.remove(id, connector, identity)
      print(`${identity} is removed`)
      return 0
    }),
}
