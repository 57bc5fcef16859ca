import { useState } from 'react'
import {
  type Invitation,
  invite,
  listInvitations,
  resendInvitation,
  revokeInvitation,
} from '../../api/people/people.ts'
import { Age } from '../../components/age.tsx'
import { Badge } from '../../components/badge.tsx'
import { useAsk } from '../../components/dialogs/confirm.tsx'
import { FieldsDialog } from '../../components/form/fields-dialog.tsx'
import { RowMenu } from '../../components/row-menu.tsx'
import { ListPane } from '../../components/table/list-pane.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { createInvitationForm } from '../../generated/forms.ts'
import { useChange } from '../../ui/change.ts'
import { useLive } from '../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { GroupNames } from './group-names.tsx'
import { RightsFields, useRights } from './rights-fields.tsx'
import { setupTexts } from './texts.ts'

const texts = defineTexts({
  invite: ['Invite a person', 'Person einladen'],
  send: ['Send the invitation', 'Einladung senden'],
  email: ['E-mail address', 'E-Mail-Adresse'],
  sent: ['Sent', 'Gesendet'],
  expired: ['expired', 'abgelaufen'],
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
  return (
    <ListPane
      title={names.invitations}
      query={invitations}
      add={[t.invite, () => setOpen(true)]}
      above={resend.error !== null && <Trouble error={resend.error} />}
      itemKey={({ id }) => id}
      none={t.none}
      columns={[
        [t.email, ({ email }) => email],
        [t.role, ({ role }) => role],
        [t.groups, ({ groups }) => <GroupNames groups={groups} />],
        [t.sent, (one) => <Sent {...one} />],
      ]}
      actions={(one) => (
        <RowMenu
          name={one.email}
          items={[
            [t.resend, () => resend.run(one.id)],
            [t.revoke, () => revoke(one)],
          ]}
        />
      )}
    >
      {isOpen && <InviteDialog onClose={() => setOpen(false)} />}
      {question}
    </ListPane>
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
  const draft = useRights()
  return (
    <FieldsDialog
      title={t.invite}
      action={t.send}
      form={createInvitationForm}
      fields={[{ name: 'email', label: t.email }]}
      check={draft.check}
      send={(client, body) => invite(client, { ...body, ...draft.rights })}
      onClose={onClose}
    >
      <RightsFields draft={draft} />
    </FieldsDialog>
  )
}
