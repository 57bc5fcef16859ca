import { PasswordInput } from '@mantine/core'
import {
  changeUser,
  createUser,
  type EndedNames,
  readUserDependants,
  removeUser,
  setPassword,
  type User,
} from '../../api/people/people.ts'
import { RemoveDialog } from '../../components/dialogs/remove-dialog.tsx'
import { FieldsDialog } from '../../components/form/fields-dialog.tsx'
import { changeUserForm, createUserForm, setUserPasswordForm } from '../../generated/forms.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { RightsFields, useRights } from './rights-fields.tsx'

const texts = defineTexts({
  add: ['New user', 'Neuer Benutzer'],
  email: ['E-mail address', 'E-Mail-Adresse'],
  password: ['Password', 'Passwort'],
  passwordHint: [
    'Give it to the person; it can be changed after the sign-in.',
    'Geben Sie es der Person; nach der Anmeldung lässt es sich ändern.',
  ],
  change: (email: string) => [`Change ${email}`, `${email} ändern`],
  setPassword: (email: string) => [`Set the password of ${email}`, `Passwort von ${email} setzen`],
  set: ['Set the password', 'Passwort setzen'],
  ends: ['All sessions of the user end.', 'Alle Sitzungen des Benutzers enden.'],
  remove: (email: string) => [`Delete ${email}?`, `${email} löschen?`],
  doRemove: ['Delete the user', 'Benutzer löschen'],
  loss: [
    'The user cannot sign in any more. What depends on it:',
    'Der Benutzer kann sich nicht mehr anmelden. Was daran hängt:',
  ],
})

type Props = { readonly user: User; readonly onClose: () => void }

export function NewUserDialog({ onClose }: Pick<Props, 'onClose'>) {
  const t = useTexts(texts)
  const draft = useRights()
  return (
    <FieldsDialog
      title={t.add}
      action={t.create}
      fields={[
        { name: 'email', label: t.email },
        { name: 'name', label: t.name },
        newPassword(t.password, t.passwordHint),
      ]}
      form={createUserForm}
      check={draft.check}
      send={(client, body) => createUser(client, { ...body, ...draft.rights })}
      onClose={onClose}
    >
      <RightsFields draft={draft} />
    </FieldsDialog>
  )
}

/** The server decides about its least length, which an operator may set. */
const newPassword = (label: string, description: string) => ({
  name: 'password' as const,
  as: PasswordInput,
  label,
  description,
  autoComplete: 'new-password',
})

type UserDialogProps = Props & { readonly onEnded: (ended: EndedNames) => void }

export function UserDialog({ user, onClose, onEnded }: UserDialogProps) {
  const { id, email, role, groups } = user
  const t = useTexts(texts)
  const draft = useRights({ role, groups })
  return (
    <FieldsDialog
      title={t.change(email)}
      action={t.save}
      form={changeUserForm}
      of={user}
      fields={[{ name: 'name', label: t.name }]}
      check={draft.check}
      send={(client, body) => changeUser(client, id, { ...body, ...draft.rights }).then(onEnded)}
      onClose={onClose}
    >
      <RightsFields draft={draft} />
    </FieldsDialog>
  )
}

export function PasswordDialog({ user: { id, email }, onClose }: Props) {
  const t = useTexts(texts)
  return (
    <FieldsDialog
      title={t.setPassword(email)}
      action={t.set}
      form={setUserPasswordForm}
      fields={[newPassword(t.password, t.ends)]}
      send={(client, body) => setPassword(client, id, body)}
      onClose={onClose}
    />
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
