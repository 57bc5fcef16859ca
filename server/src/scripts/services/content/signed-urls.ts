import {
  type Clock,
  exactText,
  Fault,
  isJsonObject,
  parseJson,
} from '../../../foundation/kernel/index.ts'
import type { ServiceSecrets } from '../../scripting/index.ts'

type Method = 'GET' | 'PUT'

/** The permission of a signed URL: one method, of one content, of one solution, until its end. */
type Permission = { readonly id: string; readonly type: string; readonly method: Method }

export type SignedUrls = {
  sign(
    solutionId: string,
    permission: Permission & { readonly seconds: number },
  ): {
    readonly id: string
    readonly method: Method
    readonly url: string
    readonly path: string
    readonly expires: number
  }
  owns(path: string): boolean
  /** @throws Fault not_found for a URL that was not made here, forbidden after its end. */
  open(solutionId: string, path: string, method: Method): Permission
}

const prefix = '/.content/'
const sealContext = (solutionId: string) => `services/content/${solutionId}`

/** URLs whose last part is sealed with the key of the instance: nobody else can make one. */
export function createSignedUrls({
  clock,
  secrets,
  domain,
}: {
  readonly clock: Clock
  readonly secrets: ServiceSecrets
  readonly domain: string
}): SignedUrls {
  return {
    sign(solutionId, { id, type, method, seconds }) {
      const expires = Math.floor(clock.nowMs() / 1_000) + seconds
      const text = JSON.stringify({ id, type, method, expires })
      const sealed = Buffer.from(secrets.seal(text, sealContext(solutionId)), 'utf8')
      const path = `${prefix}${sealed.toString('base64url')}`
      return { id, method, url: `https://${solutionId}.${domain}${path}`, path, expires }
    },
    owns: (path) => path.startsWith(prefix),
    open(solutionId, path, method) {
      const permission = permissionIn(path, (text) => secrets.open(text, sealContext(solutionId)))
      if (permission === undefined || permission.method !== method) {
        throw new Fault('not_found', 'There is no such URL.')
      }
      if (permission.expires * 1_000 > clock.nowMs()) return permission
      throw new Fault('forbidden', 'The URL has expired.')
    },
  }
}

function permissionIn(
  path: string,
  open: (sealed: string) => string,
): (Permission & { readonly expires: number }) | undefined {
  const [token = ''] = path.slice(prefix.length).split('?')
  if (!/^[A-Za-z0-9_-]{1,4000}$/.test(token)) return undefined
  const sealed = Buffer.from(token, 'base64url')
  // Another spelling of the same bytes is another URL.
  if (sealed.toString('base64url') !== token) return undefined
  try {
    const read = parseJson(open(exactText(sealed)))
    return isJsonObject(read) ? (read as never) : undefined
  } catch {
    // It was not sealed here, or for another solution.
    return undefined
  }
}
