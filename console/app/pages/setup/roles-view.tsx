import { Checkbox, Fieldset, NumberInput } from '@mantine/core'
import { useState } from 'react'
import { type EndedNames, type Role, removeRole, saveRole } from '../../api/people/people.ts'
import { useAsk } from '../../components/dialogs/confirm.tsx'
import { FieldsDialog } from '../../components/form/fields-dialog.tsx'
import { useSeesAll } from '../../components/groups/groups.ts'
import { Faint } from '../../components/line.tsx'
import { RowMenu } from '../../components/row-menu.tsx'
import { ListPane } from '../../components/table/list-pane.tsx'
import { createRoleForm } from '../../generated/forms.ts'
import { useSignedIn } from '../../ui/session.tsx'
import { readText } from '../../ui/submit.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { EndedNote } from './ended-note.tsx'
import { useRoles } from './rights-fields.tsx'
import { setupTexts } from './texts.ts'

const texts = defineTexts({
  add: ['New role', 'Neue Rolle'],
  permissions: ['Permissions', 'Berechtigungen'],
  limits: ['Limits of its API tokens', 'Grenzen ihrer API-Tokens'],
  limitsHint: [
    'In a window of the graph API; empty: those of the instance.',
    'In einem Fenster der Graph-API; leer: die der Instanz.',
  ],
  requests: ['Requests', 'Anfragen'],
  time: ['Milliseconds', 'Millisekunden'],
  asInstance: ['as the instance', 'wie die Instanz'],
  limitsOf: (requests: string, time: string) => [
    `${requests} requests, ${time} ms`,
    `${requests} Anfragen, ${time} ms`,
  ],
  remove: ['Delete', 'Löschen'],
  create: ['Create the role', 'Rolle anlegen'],
  save: ['Save the role', 'Rolle speichern'],
  taken: ['A role with that name already exists.', 'Eine Rolle dieses Namens gibt es schon.'],
  changeTitle: (name: string) => [`Change ${name}`, `${name} ändern`],
  removeTitle: (name: string) => [`Delete ${name}?`, `${name} löschen?`],
  loss: [
    'The role is gone. If a user or an API token has it, it stays.',
    'Die Rolle ist dann weg. Hat sie ein Benutzer oder ein API-Token, so bleibt sie.',
  ],
})

type Opened = Role | 'new'

/** The roles of the business; only who sees all of it changes them. */
export function RolesView() {
  const t = useTexts(texts)
  const names = useTexts(setupTexts)
  const mayChange = useSeesAll()
  const { permissions: own } = useSignedIn().caller
  const [opened, setOpened] = useState<Opened>()
  const [ended, setEnded] = useState<EndedNames>()
  const roles = useRoles()
  const [ask, question] = useAsk()
  const remove = (name: string) =>
    ask({
      title: t.removeTitle(name),
      action: t.remove,
      loss: t.loss,
      work: (client) => removeRole(client, name),
    })
  const rowActions = (role: Role) =>
    role.permissions.every((one) => own.includes(one)) && (
      <RowMenu
        name={role.name}
        items={[
          [t.change, () => setOpened(role)],
          [t.remove, () => remove(role.name)],
        ]}
      />
    )
  return (
    <ListPane
      title={names.roles}
      query={roles}
      add={mayChange && [t.add, () => setOpened('new')]}
      above={<EndedNote ended={ended} onClose={() => setEnded(undefined)} />}
      itemKey={({ name }) => name}
      namesLast={!mayChange}
      columns={[
        [t.role, ({ name }) => name],
        [t.permissions, (one) => one.permissions.join(', ') || <Faint inline>{t.none}</Faint>],
        [t.limits, (one) => <Limits {...one.rate_limits} />],
      ]}
      actions={mayChange && rowActions}
    >
      {opened !== undefined && (
        <RoleDialog
          role={opened === 'new' ? undefined : opened}
          taken={roles.data ?? []}
          onClose={() => setOpened(undefined)}
          onEnded={setEnded}
        />
      )}
      {question}
    </ListPane>
  )
}

function Limits({ requests, time }: Role['rate_limits']) {
  const t = useTexts(texts)
  if (requests === null && time === null) return t.asInstance
  const shown = (limit: number | null) => (limit === null ? t.asInstance : limit.toLocaleString())
  return t.limitsOf(shown(requests), shown(time))
}

type DialogProps = {
  /** Undefined for a new one. */
  readonly role: Role | undefined
  readonly taken: readonly Role[]
  readonly onClose: () => void
  readonly onEnded: (ended: EndedNames | undefined) => void
}

function RoleDialog({ role, taken, onClose, onEnded }: DialogProps) {
  const t = useTexts(texts)
  const { permissions } = useSignedIn().caller
  const isTaken = (name: string) => taken.some((one) => one.name === name) && t.taken
  return (
    <FieldsDialog
      title={role === undefined ? t.add : t.changeTitle(role.name)}
      action={role === undefined ? t.create : t.save}
      form={createRoleForm}
      fields={[role === undefined && { name: 'name', label: t.name, fault: isTaken }]}
      send={(client, { name = role?.name ?? '' }, form) => {
        const chosen = permissions.filter((one) => form.getAll('permission').includes(one))
        const rateLimits = { ...limitIn(form, 'requests'), ...limitIn(form, 'time') }
        const wanted = { name, permissions: chosen, rateLimits, isNew: role === undefined }
        return saveRole(client, wanted).then(onEnded)
      }}
      onClose={onClose}
    >
      <Fieldset legend={t.permissions}>
        {permissions.map((one) => (
          <Checkbox
            key={one}
            label={one}
            name="permission"
            value={one}
            mt={6}
            defaultChecked={role?.permissions.includes(one)}
          />
        ))}
      </Fieldset>
      <RateFields role={role} />
    </FieldsDialog>
  )
}

function RateFields({ role }: { readonly role: Role | undefined }) {
  const t = useTexts(texts)
  const { requests, time } = role?.rate_limits ?? { requests: null, time: null }
  const shared = { min: 1, allowDecimal: false, allowNegative: false, hideControls: true }
  return (
    <Fieldset legend={t.limits}>
      <Faint>{t.limitsHint}</Faint>
      <NumberInput label={t.requests} name="requests" defaultValue={requests ?? ''} {...shared} />
      <NumberInput label={t.time} name="time" defaultValue={time ?? ''} mt="xs" {...shared} />
    </Fieldset>
  )
}

function limitIn<Name extends 'requests' | 'time'>(form: FormData, name: Name) {
  const text = readText(form, name)
  return text === '' ? {} : ({ [name]: Number(text) } as Record<Name, number>)
}
