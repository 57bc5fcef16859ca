import { PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import {
  changeUser,
  createUser,
  type EndedNames,
  endSessionsOf,
  type Rights,
  readUserDependants,
  removeSecondStepOf,
  removeUser,
  setPassword,
  type User,
} from '../../api/people/people.ts'
import { Question } from '../../components/dialogs/confirm.tsx'
import { FormDialog } from '../../components/dialogs/form-dialog.tsx'
import { RemoveDialog } from '../../components/dialogs/remove-dialog.tsx'
import { useChange } from '../../ui/change.ts'
import { textOf } from '../../ui/submit.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { emailFault, passwordFault, useFaultTexts } from './faults.ts'
import { RightsFields, useRights } from './rights-fields.tsx'

const texts = defineTexts({
  add: ['New user', 'Neuer Benutzer'],
  create: ['Create', 'Anlegen'],
  email: ['E-mail address', 'E-Mail-Adresse'],
  name: ['Name', 'Name'],
  password: ['Password', 'Passwort'],
  passwordHint: [
    'Give it to the person; it can be changed after the sign-in.',
    'Geben Sie es der Person; nach der Anmeldung lässt es sich ändern.',
  ],
  change: (email: string) => [`Change ${email}`, `${email} ändern`],
  save: ['Save', 'Speichern'],
  setPassword: (email: string) => [`Set the password of ${email}`, `Passwort von ${email} setzen`],
  set: ['Set the password', 'Passwort setzen'],
  ends: ['All sessions of the user end.', 'Alle Sitzungen des Benutzers enden.'],
  remove: (email: string) => [`Delete ${email}?`, `${email} löschen?`],
  doRemove: ['Delete the user', 'Benutzer löschen'],
  loss: [
    'The user cannot sign in any more. What depends on it:',
    'Der Benutzer kann sich nicht mehr anmelden. Was daran hängt:',
  ],
  endSessions: (email: string) => [
    `End all sessions of ${email}?`,
    `Alle Sitzungen von ${email} beenden?`,
  ],
  doEndSessions: ['End the sessions', 'Sitzungen beenden'],
  sessionsLoss: [
    'Wherever the user is signed in, what was not saved is lost.',
    'Wo der Benutzer angemeldet ist, geht verloren, was nicht gespeichert wurde.',
  ],
  removeStep: (email: string) => [
    `Remove the second step of ${email}?`,
    `Zweiten Schritt von ${email} entfernen?`,
  ],
  doRemoveStep: ['Remove the second step', 'Zweiten Schritt entfernen'],
  stepLoss: [
    'From then on the password alone signs the user in.',
    'Von da an genügt das Passwort zur Anmeldung.',
  ],
})

type Props = { readonly user: User; readonly onClose: () => void }

export function NewUserDialog({ onClose }: Pick<Props, 'onClose'>) {
  const t = useTexts(texts)
  const faultTexts = useFaultTexts()
  const draft = useRights()
  const [faults, setFaults] = useState<{ email?: string; password?: string }>({})
  const { isBusy, error, run } = useChange<
    Rights & { email: string; name: string; password: string }
  >(createUser)
  const submit = (form: FormData) => {
    const email = textOf(form, 'email')
    const password = `${form.get('password')}`
    const found = { ...emailFault(email, faultTexts), ...passwordFault(password, faultTexts) }
    setFaults(found)
    const isRight = draft.check() && Object.keys(found).length === 0
    if (isRight) run({ ...draft.rights, email, name: textOf(form, 'name'), password }, onClose)
  }
  return (
    <FormDialog title={t.add} action={t.create} onSubmit={submit} {...{ isBusy, error, onClose }}>
      <TextInput label={t.email} name="email" error={faults.email} data-autofocus />
      <TextInput label={t.name} name="name" />
      <PasswordInput
        label={t.password}
        description={t.passwordHint}
        name="password"
        autoComplete="new-password"
        error={faults.password}
      />
      <RightsFields draft={draft} />
    </FormDialog>
  )
}

type UserDialogProps = Props & { readonly onEnded: (ended: EndedNames) => void }

export function UserDialog({ user, onClose, onEnded }: UserDialogProps) {
  const { id, email, name, role, groups } = user
  const t = useTexts(texts)
  const draft = useRights({ role, groups })
  const { isBusy, error, run } = useChange<Rights & { name: string }>((client, change) =>
    changeUser(client, id, change).then(onEnded),
  )
  const submit = (form: FormData) => {
    if (draft.check()) run({ ...draft.rights, name: textOf(form, 'name') }, onClose)
  }
  return (
    <FormDialog
      title={t.change(email)}
      action={t.save}
      onSubmit={submit}
      {...{ isBusy, error, onClose }}
    >
      <TextInput label={t.name} name="name" defaultValue={name} data-autofocus />
      <RightsFields draft={draft} />
    </FormDialog>
  )
}

export function PasswordDialog({ user: { id, email }, onClose }: Props) {
  const t = useTexts(texts)
  const faultTexts = useFaultTexts()
  const [fault, setFault] = useState<string>()
  const { isBusy, error, run } = useChange<string>((client, password) =>
    setPassword(client, id, password),
  )
  const submit = (form: FormData) => {
    const password = `${form.get('password')}`
    const { password: found } = passwordFault(password, faultTexts)
    setFault(found)
    if (found === undefined) run(password, onClose)
  }
  return (
    <FormDialog
      title={t.setPassword(email)}
      action={t.set}
      onSubmit={submit}
      {...{ isBusy, error, onClose }}
    >
      <PasswordInput
        label={t.password}
        description={t.ends}
        name="password"
        autoComplete="new-password"
        error={fault}
        data-autofocus
      />
    </FormDialog>
  )
}

export function RemoveUserDialog({ user: { id, email }, onClose }: Props) {
  const t = useTexts(texts)
  return (
    <RemoveDialog
      title={t.remove(email)}
      action={t.doRemove}
      loss={t.loss}
      read={readUserDependants}
      remove={removeUser}
      {...{ id, onClose }}
    />
  )
}

/** Before all sessions of the user end, which may be those of whoever asks. */
export function EndSessionsDialog({ user: { id, email }, onClose }: Props) {
  const t = useTexts(texts)
  return (
    <Question
      title={t.endSessions(email)}
      action={t.doEndSessions}
      loss={t.sessionsLoss}
      work={(client) => endSessionsOf(client, id)}
      onClose={onClose}
    />
  )
}

export function RemoveStepDialog({ user: { id, email }, onClose }: Props) {
  const t = useTexts(texts)
  return (
    <Question
      title={t.removeStep(email)}
      action={t.doRemoveStep}
      loss={t.stepLoss}
      work={(client) => removeSecondStepOf(client, id)}
      onClose={onClose}
    />
  )
}
