import { Menu } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type EndedNames, listUsers, type User, unlockUser } from '../../api/people/people.ts'
import { Age } from '../../components/age.tsx'
import { Badge } from '../../components/badge.tsx'
import { Action } from '../../components/controls/action.tsx'
import { Faint, Line } from '../../components/line.tsx'
import { Pager } from '../../components/pager.tsx'
import { Pane } from '../../components/pane.tsx'
import { RowMenu } from '../../components/row-menu.tsx'
import { Table } from '../../components/table/table.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { type Change, useChange } from '../../ui/change.ts'
import { useLive } from '../../ui/live.ts'
import { useSignedIn } from '../../ui/session.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { EndedNote } from './ended-note.tsx'
import { GroupNames } from './group-names.tsx'
import { setupTexts } from './texts.ts'
import {
  EndSessionsDialog,
  NewUserDialog,
  PasswordDialog,
  RemoveStepDialog,
  RemoveUserDialog,
  UserDialog,
} from './user-dialogs.tsx'

const texts = defineTexts({
  add: ['New user', 'Neuer Benutzer'],
  user: ['User', 'Benutzer'],
  role: ['Role', 'Rolle'],
  groups: ['Groups', 'Gruppen'],
  state: ['State', 'Zustand'],
  lastSignIn: ['Last sign-in', 'Letzte Anmeldung'],
  noneKnown: ['none known', 'keine bekannt'],
  actions: ['Actions', 'Aktionen'],
  you: ['you', 'Sie'],
  locked: ['locked', 'gesperrt'],
  lockedTitle: ['Too many failed sign-ins.', 'Zu viele fehlgeschlagene Anmeldungen.'],
  secondStep: ['second step', 'zweiter Schritt'],
  change: ['Change', 'Ändern'],
  password: ['Set a password', 'Passwort setzen'],
  unlock: ['Unlock', 'Entsperren'],
  endSessions: ['End all sessions', 'Alle Sitzungen beenden'],
  removeStep: ['Remove the second step', 'Zweiten Schritt entfernen'],
  remove: ['Delete', 'Löschen'],
})

const pageSize = 50
const usPerMs = 1_000
const route = getRouteApi('/setup/{-$view}')

type What = 'change' | 'password' | 'sessions' | 'step' | 'remove'
type Opened = { readonly what: What; readonly user: User } | 'new'

/** The users of the business, and what an administrator does with them. */
export function UsersView() {
  const t = useTexts(texts)
  const names = useTexts(setupTexts)
  const { page = 1 } = route.useSearch()
  const navigate = useNavigate()
  const [opened, setOpened] = useState<Opened>()
  const [ended, setEnded] = useState<EndedNames>()
  const act = useChange<string>(unlockUser)
  const users = useLive(
    ['users', page],
    (client, signal) =>
      listUsers(client, { limit: pageSize + 1, offset: (page - 1) * pageSize }, signal),
    { keepsBefore: true },
  )
  const turn = (next: number) => () =>
    navigate({ to: '/setup/{-$view}', params: { view: 'users' }, search: { page: next } })
  const isMore = (users.data?.length ?? 0) > pageSize
  const add = <Action text={t.add} icon="plus" main onClick={() => setOpened('new')} />
  return (
    <Pane title={names.users} query={users} aside={add}>
      {(found) => (
        <>
          {act.error !== null && <Trouble error={act.error} />}
          <EndedNote ended={ended} onClose={() => setEnded(undefined)} />
          <Table
            heads={[t.user, t.role, t.groups, t.state, t.lastSignIn, t.actions]}
            narrow="stacked"
          >
            {found.slice(0, pageSize).map((user) => (
              <Row key={user.id} {...{ user, act }} onOpen={setOpened} />
            ))}
          </Table>
          <Pager
            onBefore={page > 1 ? turn(page - 1) : undefined}
            onAfter={isMore ? turn(page + 1) : undefined}
          />
          <Dialogs opened={opened} onClose={() => setOpened(undefined)} onEnded={setEnded} />
        </>
      )}
    </Pane>
  )
}

type DialogsProps = {
  readonly opened: Opened | undefined
  readonly onClose: () => void
  readonly onEnded: (ended: EndedNames) => void
}

function Dialogs({ opened, onClose, onEnded }: DialogsProps) {
  if (opened === undefined) return null
  if (opened === 'new') return <NewUserDialog onClose={onClose} />
  const { what, user } = opened
  if (what === 'change') return <UserDialog {...{ user, onClose, onEnded }} />
  if (what === 'password') return <PasswordDialog user={user} onClose={onClose} />
  if (what === 'sessions') return <EndSessionsDialog user={user} onClose={onClose} />
  if (what === 'step') return <RemoveStepDialog user={user} onClose={onClose} />
  return <RemoveUserDialog user={user} onClose={onClose} />
}

type RowProps = {
  readonly user: User
  readonly act: Change<string>
  readonly onOpen: (opened: Opened) => void
}

function Row({ user, act, onOpen }: RowProps) {
  const t = useTexts(texts)
  const { caller } = useSignedIn()
  const { id, email, name, role, groups, totp, locked_until: lockedUntil } = user
  const { last_sign_in_at: lastSignIn } = user
  const isLocked = lockedUntil !== null && lockedUntil > Date.now()
  const open = (what: What) => () => onOpen({ what, user })
  return (
    <tr>
      <td>
        {name || email} {caller.subject === `user:${id}` && <Faint inline>({t.you})</Faint>}
        {name !== '' && <Faint>{email}</Faint>}
      </td>
      <td data-label={t.role}>{role}</td>
      <td data-label={t.groups}>
        <GroupNames groups={groups} />
      </td>
      <td data-label={t.state}>
        {(isLocked || totp) && (
          <Line>
            {isLocked && <Badge tone="bad" icon="lock" title={t.lockedTitle} text={t.locked} />}
            {totp && <Badge tone="good" icon="check" text={t.secondStep} />}
          </Line>
        )}
      </td>
      <td data-label={t.lastSignIn}>
        <Age at={lastSignIn === null ? null : lastSignIn * usPerMs} never={t.noneKnown} />
      </td>
      <td>
        <RowMenu name={email}>
          <Menu.Item onClick={open('change')}>{t.change}</Menu.Item>
          <Menu.Item onClick={open('password')}>{t.password}</Menu.Item>
          {isLocked && <Menu.Item onClick={() => act.run(id)}>{t.unlock}</Menu.Item>}
          <Menu.Item onClick={open('sessions')}>{t.endSessions}</Menu.Item>
          {totp && <Menu.Item onClick={open('step')}>{t.removeStep}</Menu.Item>}
          <Menu.Divider />
          <Menu.Item onClick={open('remove')}>{t.remove}</Menu.Item>
        </RowMenu>
      </td>
    </tr>
  )
}
