import { MultiSelect } from '@mantine/core'
import { useState } from 'react'
import { listRoles, type Rights } from '../../api/people/people.ts'
import { CheckField, SelectField } from '../../components/controls/fields.tsx'
import { formatPath, indexById, useGroups, useSeesAll } from '../../components/groups/groups.ts'
import { useLive } from '../../ui/live-queries.ts'
import { useSignedIn } from '../../ui/session.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'

const texts = defineTexts({
  whole: ['Sees the whole business', 'Sieht das ganze Unternehmen'],
  groupsHint: [
    'It sees these groups and all below them.',
    'Sichtbar sind diese Gruppen und alles darunter.',
  ],
  choose: ['Choose at least one group.', 'Wählen Sie mindestens eine Gruppe.'],
  none: ['No group has that name.', 'Keine Gruppe heißt so.'],
})

/** The fields of a role and of groups, and whether they may be sent. */
export type RightsDraft = {
  readonly rights: Rights
  readonly set: (part: Partial<Rights>) => void
  readonly isFaulty: boolean
  /** Shows the faults from now on. */
  readonly check: () => boolean
}

/** The role of the first that permits least. */
const leastRole = 'Viewer'

export function useRoles() {
  return useLive(['roles'], listRoles)
}

export function useRights(before: Partial<Rights> = {}): RightsDraft {
  const { data: roles = [] } = useRoles()
  const own = useSignedIn().caller.groups
  const firstGroups = before.groups === undefined ? own : before.groups
  const [chosen, setRights] = useState({ role: before.role, groups: firstGroups })
  const [isChecked, setChecked] = useState(false)
  const first = roles.find(({ name }) => name === leastRole) ?? roles[0]
  const rights: Rights = { ...chosen, role: chosen.role ?? first?.name ?? leastRole }
  const isWrong = rights.groups?.length === 0
  return {
    rights,
    set: (part) => setRights((now) => ({ ...now, ...part })),
    isFaulty: isChecked && isWrong,
    check() {
      setChecked(true)
      return !isWrong
    },
  }
}

/** A role that permits no more than the caller's, and the groups that it is for. */
export function RightsFields({ draft }: { readonly draft: RightsDraft }) {
  const t = useTexts(texts)
  const { permissions } = useSignedIn().caller
  const { data: roles = [] } = useRoles()
  const given = roles.filter(
    (role) =>
      role.name === draft.rights.role || role.permissions.every((one) => permissions.includes(one)),
  )
  return (
    <>
      <SelectField
        label={t.role}
        size="sm"
        data={given.map(({ name }) => name)}
        value={draft.rights.role}
        onChange={(next) => draft.set({ role: next })}
      />
      <GroupFields draft={draft} />
    </>
  )
}

function GroupFields({ draft: { rights, set, isFaulty } }: { readonly draft: RightsDraft }) {
  const t = useTexts(texts)
  const { data } = useGroups()
  const isWhole = useSeesAll()
  if (data === undefined) return null
  const byId = indexById(data)
  return (
    <>
      {isWhole && (
        <CheckField
          label={t.whole}
          checked={rights.groups === null}
          size="sm"
          onChange={(next) => set({ groups: next ? null : [] })}
        />
      )}
      {(rights.groups !== null || !isWhole) && (
        <MultiSelect
          label={t.groups}
          description={t.groupsHint}
          searchable
          limit={100}
          nothingFoundMessage={t.none}
          data={data.map((group) => ({ value: group.id, label: formatPath(group, byId) }))}
          value={[...(rights.groups ?? [])]}
          onChange={(groups) => set({ groups })}
          error={isFaulty && t.choose}
        />
      )}
    </>
  )
}
