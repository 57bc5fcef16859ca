import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import {
  type EndedNames,
  endSessionsOf,
  listUsers,
  removeSecondStepOf,
  type User,
  unlockUser,
} from '../../api/people/people.ts'
import { Age } from '../../components/age.tsx'
import { Badge } from '../../components/badge.tsx'
import { useAsk } from '../../components/dialogs/confirm.tsx'
import { Faint, Line } from '../../components/line.tsx'
import { Pager } from '../../components/pager.tsx'
import { RowMenu } from '../../components/row-menu.tsx'
import { ListPane } from '../../components/table/list-pane.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { useRead } from '../../ui/live-queries.ts'
import { useSignedIn } from '../../ui/session.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { EndedNote } from './ended-note.tsx'
import { GroupNames } from './group-names.tsx'
import { setupTexts } from './texts.ts'
import { NewUserDialog, PasswordDialog, RemoveUserDialog, UserDialog } from './user-dialogs.tsx'

const texts = defineTexts({
  add: ['New user', 'Neuer Benutzer'],
  user: ['User', 'Benutzer'],
  lastSignIn: ['Last sign-in', 'Letzte Anmeldung'],
  noneKnown: ['none known', 'keine bekannt'],
  you: ['you', 'Sie'],
  locked: ['locked', 'gesperrt'],
  lockedTitle: ['Too many failed sign-ins.', 'Zu viele fehlgeschlagene Anmeldungen.'],
  secondStep: ['second step', 'zweiter Schritt'],
  password: ['Set a password', 'Passwort setzen'],
  unlock: ['Unlock', 'Entsperren'],
  endSessions: ['End all sessions', 'Alle Sitzungen beenden'],
  removeStep: ['Remove the second step', 'Zweiten Schritt entfernen'],
  endSessionsOf: (email: string) => [
    `End all sessions of ${email}?`,
    `Alle Sitzungen von ${email} beenden?`,
  ],
  doEndSessions: ['End the sessions', 'Sitzungen beenden'],
  sessionsLoss: [
    'Wherever the user is signed in, what was not saved is lost.',
    'Wo der Benutzer angemeldet ist, geht verloren, was nicht gespeichert wurde.',
  ],
  removeStepOf: (email: string) => [
    `Remove the second step of ${email}?`,
    `Zweiten Schritt von ${email} entfernen?`,
  ],
  stepLoss: [
    'From then on the password alone signs the user in.',
    'Von da an genügt das Passwort zur Anmeldung.',
  ],
  remove: ['Delete', 'Löschen'],
})

const pageSize = 50
const usPerMs = 1_000
const route = getRouteApi('/setup/{-$view}')

type What = 'change' | 'password' | 'remove'
type Opened = { readonly what: What; readonly user: User } | 'new'

/** The users of the business, and what an administrator does with them. */
export function UsersView() {
  const t = useTexts(texts)
  const names = useTexts(setupTexts)
  const { page = 1 } = route.useSearch()
  const navigate = useNavigate()
  const [opened, setOpened] = useState<Opened>()
  const [ended, setEnded] = useState<EndedNames>()
  const [actionsOf, question, error] = useActions(setOpened)
  const users = useRead(
    'users',
    listUsers,
    [{ limit: pageSize + 1, offset: (page - 1) * pageSize }],
    { keepsBefore: true },
  )
  const turn = (next: number) => () =>
    navigate({ to: '/setup/{-$view}', params: { view: 'users' }, search: { page: next } })
  const isMore = (users.data?.length ?? 0) > pageSize
  const above = (
    <>
      {error !== null && <Trouble error={error} />}
      <EndedNote ended={ended} onClose={() => setEnded(undefined)} />
    </>
  )
  return (
    <ListPane
      title={names.users}
      query={users}
      add={[t.add, () => setOpened('new')]}
      above={above}
      most={pageSize}
      itemKey={({ id }) => id}
      columns={[
        [t.user, (user) => <Name {...user} />],
        [t.role, ({ role }) => role],
        [t.groups, ({ groups }) => <GroupNames groups={groups} />],
        [t.state, (user) => <State {...user} />],
        [
          t.lastSignIn,
          ({ last_sign_in_at: at }) => (
            <Age at={at === null ? null : at * usPerMs} never={t.noneKnown} />
          ),
        ],
      ]}
      actions={actionsOf}
    >
      <Pager
        onBefore={page > 1 ? turn(page - 1) : undefined}
        onAfter={isMore ? turn(page + 1) : undefined}
      />
      <Dialogs opened={opened} onClose={() => setOpened(undefined)} onEnded={setEnded} />
      {question}
    </ListPane>
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
  return <RemoveUserDialog user={user} onClose={onClose} />
}

/** Returns the menu of a user, what it asks before it does something, and why that was refused. */
function useActions(onOpen: (opened: Opened) => void) {
  const t = useTexts(texts)
  const [ask, question] = useAsk()
  const unlock = useChange<string>(unlockUser)
  const endSessions = ({ id, email }: User) =>
    ask({
      title: t.endSessionsOf(email),
      action: t.doEndSessions,
      loss: t.sessionsLoss,
      work: (client) => endSessionsOf(client, id),
    })
  const removeStep = ({ id, email }: User) =>
    ask({
      title: t.removeStepOf(email),
      action: t.removeStep,
      loss: t.stepLoss,
      work: (client) => removeSecondStepOf(client, id),
    })
  const menu = (user: User) => (
    <RowMenu
      name={user.email}
      items={[
        [t.change, () => onOpen({ what: 'change', user })],
        [t.password, () => onOpen({ what: 'password', user })],
        isLocked(user) && [t.unlock, () => unlock.run(user.id)],
        [t.endSessions, () => endSessions(user)],
        user.totp && [t.removeStep, () => removeStep(user)],
        'line',
        [t.remove, () => onOpen({ what: 'remove', user })],
      ]}
    />
  )
  return [menu, question, unlock.error] as const
}

const isLocked = ({ locked_until: until }: User) => until !== null && until > Date.now()

function Name({ id, name, email }: User) {
  const t = useTexts(texts)
  const { caller } = useSignedIn()
  return (
    <>
      {name || email} {caller.subject === `user:${id}` && <Faint inline>({t.you})</Faint>}
      {name !== '' && <Faint>{email}</Faint>}
    </>
  )
}

function State(user: User) {
  const t = useTexts(texts)
  if (!isLocked(user) && !user.totp) return null
  return (
    <Line>
      {isLocked(user) && <Badge tone="bad" icon="lock" title={t.lockedTitle} text={t.locked} />}
      {user.totp && <Badge tone="good" icon="check" text={t.secondStep} />}
    </Line>
  )
}
