import { Checkbox, Fieldset, Menu, NumberInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import {
  type EndedNames,
  type Role,
  type RoleWanted,
  removeRole,
  saveRole,
} from '../../api/people/people.ts'
import { Action } from '../../components/controls/action.tsx'
import { useAsk } from '../../components/dialogs/confirm.tsx'
import { FormDialog } from '../../components/dialogs/form-dialog.tsx'
import { useSeesAll } from '../../components/groups/groups.ts'
import { Faint } from '../../components/line.tsx'
import { Pane } from '../../components/pane.tsx'
import { RowMenu } from '../../components/row-menu.tsx'
import { Table } from '../../components/table/table.tsx'
import { useChange } from '../../ui/change.ts'
import { useSignedIn } from '../../ui/session.tsx'
import { textOf } from '../../ui/submit.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { EndedNote } from './ended-note.tsx'
import { useFaultTexts } from './faults.ts'
import { useRoles } from './rights-fields.tsx'
import { setupTexts } from './texts.ts'

const texts = defineTexts({
  add: ['New role', 'Neue Rolle'],
  role: ['Role', 'Rolle'],
  permissions: ['Permissions', 'Berechtigungen'],
  none: ['none', 'keine'],
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
  actions: ['Actions', 'Aktionen'],
  change: ['Change', 'Ändern'],
  remove: ['Delete', 'Löschen'],
  create: ['Create the role', 'Rolle anlegen'],
  save: ['Save the role', 'Rolle speichern'],
  name: ['Name', 'Name'],
  taken: ['There is a role of that name.', 'Eine Rolle dieses Namens gibt es schon.'],
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
  const [opened, setOpened] = useState<Opened>()
  const [ended, setEnded] = useState<EndedNames>()
  const roles = useRoles()
  const close = () => setOpened(undefined)
  const [ask, question] = useAsk()
  const remove = (name: string) =>
    ask({
      title: t.removeTitle(name),
      action: t.remove,
      loss: t.loss,
      work: (client) => removeRole(client, name),
    })
  const add = mayChange && <Action text={t.add} icon="plus" main onClick={() => setOpened('new')} />
  const heads = [t.role, t.permissions, t.limits, ...(mayChange ? [t.actions] : [])]
  return (
    <Pane title={names.roles} query={roles} aside={add}>
      {(found) => (
        <>
          <EndedNote ended={ended} onClose={() => setEnded(undefined)} />
          <Table heads={heads} narrow="stacked">
            {found.map((role) => (
              <Row
                key={role.name}
                role={role}
                mayChange={mayChange}
                onChange={() => setOpened(role)}
                onRemove={() => remove(role.name)}
              />
            ))}
          </Table>
          {opened !== undefined && (
            <RoleDialog
              role={opened === 'new' ? undefined : opened}
              taken={found}
              onClose={close}
              onEnded={setEnded}
            />
          )}
          {question}
        </>
      )}
    </Pane>
  )
}

type RowProps = {
  readonly role: Role
  readonly mayChange: boolean
  readonly onChange: () => void
  readonly onRemove: () => void
}

function Row({ role, mayChange, onChange, onRemove }: RowProps) {
  const t = useTexts(texts)
  const { permissions: own } = useSignedIn().caller
  const { name, permissions, rate_limits: limits } = role
  const isBelow = permissions.every((one) => own.includes(one))
  const shown = (limit: number | null) => (limit === null ? t.asInstance : limit.toLocaleString())
  return (
    <tr>
      <td>{name}</td>
      <td data-label={t.permissions}>{permissions.join(', ') || <Faint inline>{t.none}</Faint>}</td>
      <td data-label={t.limits}>
        {limits.requests === null && limits.time === null
          ? t.asInstance
          : t.limitsOf(shown(limits.requests), shown(limits.time))}
      </td>
      {mayChange && (
        <td>
          {isBelow && (
            <RowMenu name={name}>
              <Menu.Item onClick={onChange}>{t.change}</Menu.Item>
              <Menu.Item onClick={onRemove}>{t.remove}</Menu.Item>
            </RowMenu>
          )}
        </td>
      )}
    </tr>
  )
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
  const faultTexts = useFaultTexts()
  const { permissions } = useSignedIn().caller
  const [fault, setFault] = useState<string>()
  const { isBusy, error, run } = useChange((client, wanted: RoleWanted) =>
    saveRole(client, wanted).then(onEnded),
  )
  const submit = (form: FormData) => {
    const name = role?.name ?? textOf(form, 'name')
    const isTaken = role === undefined && taken.some((one) => one.name === name)
    const found = name === '' ? faultTexts.needed : isTaken ? t.taken : undefined
    setFault(found)
    if (found !== undefined) return
    const chosen = permissions.filter((one) => form.getAll('permission').includes(one))
    const rateLimits = { ...limitIn(form, 'requests'), ...limitIn(form, 'time') }
    run({ name, permissions: chosen, rateLimits, isNew: role === undefined }, onClose)
  }
  return (
    <FormDialog
      title={role === undefined ? t.add : t.changeTitle(role.name)}
      action={role === undefined ? t.create : t.save}
      onSubmit={submit}
      {...{ isBusy, error, onClose }}
    >
      {role === undefined && <TextInput label={t.name} name="name" error={fault} data-autofocus />}
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
    </FormDialog>
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
  const text = textOf(form, name)
  return text === '' ? {} : ({ [name]: Number(text) } as Record<Name, number>)
}
