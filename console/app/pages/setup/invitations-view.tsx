import { Menu, TextInput } from '@mantine/core'
import { useState } from 'react'
import {
  type Invitation,
  invite,
  listInvitations,
  type Rights,
  resendInvitation,
  revokeInvitation,
} from '../../api/people/people.ts'
import { Age } from '../../components/age.tsx'
import { Badge } from '../../components/badge.tsx'
import { Action } from '../../components/controls/action.tsx'
import { useAsk } from '../../components/dialogs/confirm.tsx'
import { FormDialog } from '../../components/dialogs/form-dialog.tsx'
import { Pane } from '../../components/pane.tsx'
import { RowMenu } from '../../components/row-menu.tsx'
import { List } from '../../components/table/list.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { useLive } from '../../ui/live.ts'
import { textOf } from '../../ui/submit.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { emailFault, useFaultTexts } from './faults.ts'
import { GroupNames } from './group-names.tsx'
import { RightsFields, useRights } from './rights-fields.tsx'
import { setupTexts } from './texts.ts'

const texts = defineTexts({
  invite: ['Invite a person', 'Person einladen'],
  send: ['Send the invitation', 'Einladung senden'],
  email: ['E-mail address', 'E-Mail-Adresse'],
  role: ['Role', 'Rolle'],
  groups: ['Groups', 'Gruppen'],
  sent: ['Sent', 'Gesendet'],
  expired: ['expired', 'abgelaufen'],
  actions: ['Actions', 'Aktionen'],
  none: [
    'Nobody is invited now. Who is invited gets a mail with a link, and chooses a password there.',
    'Zurzeit ist niemand eingeladen. Wer eingeladen wird, bekommt eine Mail mit einem Link ' +
      'und wählt dort ein Passwort.',
  ],
  resend: ['Send again', 'Erneut senden'],
  revoke: ['Revoke', 'Zurückziehen'],
  doRevoke: ['Revoke the invitation', 'Einladung zurückziehen'],
  loss: (email: string) => [
    `The link in the mail to ${email} is refused from then on.`,
    `Der Link in der Mail an ${email} gilt dann nicht mehr.`,
  ],
})

/** Invitations that were not accepted yet. */
export function InvitationsView() {
  const t = useTexts(texts)
  const names = useTexts(setupTexts)
  const [isOpen, setOpen] = useState(false)
  const [ask, question] = useAsk()
  const resend = useChange<string>(resendInvitation)
  const invitations = useLive(['invitations'], listInvitations)
  const revoke = ({ id, email }: Invitation) =>
    ask({
      title: t.doRevoke,
      action: t.revoke,
      loss: t.loss(email),
      work: (client) => revokeInvitation(client, id),
    })
  const add = <Action text={t.invite} icon="plus" main onClick={() => setOpen(true)} />
  return (
    <Pane title={names.invitations} query={invitations} aside={add}>
      {(found) => (
        <>
          {resend.error !== null && <Trouble error={resend.error} />}
          <List
            items={found}
            keyOf={({ id }) => id}
            none={t.none}
            columns={[
              [t.email, ({ email }) => email],
              [t.role, ({ role }) => role],
              [t.groups, ({ groups }) => <GroupNames groups={groups} />],
              [t.sent, (one) => <Sent {...one} />],
              [
                t.actions,
                (one) => (
                  <RowMenu name={one.email}>
                    <Menu.Item onClick={() => resend.run(one.id)}>{t.resend}</Menu.Item>
                    <Menu.Item onClick={() => revoke(one)}>{t.revoke}</Menu.Item>
                  </RowMenu>
                ),
              ],
            ]}
          />
          {isOpen && <InviteDialog onClose={() => setOpen(false)} />}
          {question}
        </>
      )}
    </Pane>
  )
}

function Sent({ created_at: createdAt, expires_at: expiresAt }: Invitation) {
  const t = useTexts(texts)
  return (
    <>
      <Age at={createdAt * 1_000} />{' '}
      {expiresAt < Date.now() && <Badge tone="care" icon="clock" text={t.expired} />}
    </>
  )
}

function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts)
  const faultTexts = useFaultTexts()
  const draft = useRights()
  const [fault, setFault] = useState<string>()
  const { isBusy, error, run } = useChange<Rights & { email: string }>(invite)
  const submit = (form: FormData) => {
    const email = textOf(form, 'email')
    const { email: found } = emailFault(email, faultTexts)
    setFault(found)
    if (draft.check() && found === undefined) run({ ...draft.rights, email }, onClose)
  }
  return (
    <FormDialog title={t.invite} action={t.send} onSubmit={submit} {...{ isBusy, error, onClose }}>
      <TextInput label={t.email} name="email" error={fault} data-autofocus />
      <RightsFields draft={draft} />
    </FormDialog>
  )
}
