import type { Ids } from './requests.ts'

/** The names of what lies in groups, or belongs to who sees them. */
export const inGroups: readonly string[] = [
  ...['asset', 'signal', 'link', 'condition', 'instruction', 'policy', 'user', 'group', 'report'],
  ...['invitation', 'api-tokens/:token', 'identity', 'device'],
]

/** The same with other ids, which nothing has; words and names stay. */
export function makeUnknown(ids: Ids, names: readonly string[] = Object.keys(ids)): Ids {
  const isId = (text: string) => /^[0-9a-z.-]{16,}$|^theirs-1$/i.test(text)
  const other = (id: string) => id.replace(/.$/, (end) => (end === '0' ? '2' : '0'))
  const entries = Object.entries(ids).map(([name, id]) => [
    name,
    names.includes(name) && isId(id) ? other(id) : id,
  ])
  return Object.fromEntries(entries)
}

/** The text with the ids of `to` in place of those of `from`. */
export function replaced(text: string, from: Ids, to: Ids): string {
  return Object.entries(from).reduce((done, [name, id]) => {
    const other = to[name] ?? id
    return other === id ? done : done.replaceAll(id, other)
  }, text)
}
