import { formatPath, indexById, useGroups } from '../../components/groups/groups.ts'
import { useTexts } from '../../ui/texts.ts'
import { setupTexts } from './texts.ts'

/** The groups that somebody sees, by their names; those that the caller does not see, counted. */
export function GroupNames({ groups }: { readonly groups: readonly string[] | null }) {
  const t = useTexts(setupTexts)
  const byId = indexById(useGroups().data)
  if (groups === null) return t.whole
  const names = groups.flatMap((id) => {
    const group = byId.get(id)
    return group === undefined ? [] : [formatPath(group, byId)]
  })
  const hidden = groups.length - names.length
  return [...names, ...(hidden > 0 ? [`${hidden} ${t.hidden}`] : [])].join(', ')
}
