import { Button, Menu, TextInput } from '@mantine/core'
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
import { Confirm } from '../../components/dialogs/confirm.tsx'
import { FormDialog } from '../../components/dialogs/form-dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { Pane } from '../../components/pane.tsx'
import { RowMenu } from '../../components/row-menu.tsx'
import { Table } from '../../components/table/table.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { listEveryMs, useLive } from '../../ui/live.ts'
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
  const [revoked, setRevoked] = useState<Invitation>()
  const resend = useChange<string>(resendInvitation)
  const invitations = useLive({
    key: ['invitations'],
    read: listInvitations,
    everyMs: listEveryMs,
  })
  const add = (
    <Button size="xs" leftSection={<Icon name="plus" size={14} />} onClick={() => setOpen(true)}>
      {t.invite}
    </Button>
  )
  return (
    <Pane title={names.invitations} query={invitations} aside={add}>
      {(found) => (
        <>
          {resend.error !== null && <Trouble error={resend.error} />}
          {found.length === 0 ? (
            <NextStep>{t.none}</NextStep>
          ) : (
            <Table heads={[t.email, t.role, t.groups, t.sent, t.actions]} narrow="stacked">
              {found.map((one) => (
                <Row
                  key={one.id}
                  invitation={one}
                  onResend={() => resend.run(one.id)}
                  onRevoke={() => setRevoked(one)}
                />
              ))}
            </Table>
          )}
          {isOpen && <InviteDialog onClose={() => setOpen(false)} />}
          {revoked && <RevokeDialog invitation={revoked} onClose={() => setRevoked(undefined)} />}
        </>
      )}
    </Pane>
  )
}

type RowProps = {
  readonly invitation: Invitation
  readonly onResend: () => void
  readonly onRevoke: () => void
}

function Row({ invitation, onResend, onRevoke }: RowProps) {
  const t = useTexts(texts)
  const { email, role, groups, created_at: createdAt, expires_at: expiresAt } = invitation
  return (
    <tr>
      <td>{email}</td>
      <td data-label={t.role}>{role}</td>
      <td data-label={t.groups}>
        <GroupNames groups={groups} />
      </td>
      <td data-label={t.sent}>
        <Age at={createdAt * 1_000} />{' '}
        {expiresAt < Date.now() && (
          <Badge tone="care" icon="clock">
            {t.expired}
          </Badge>
        )}
      </td>
      <td>
        <RowMenu name={email}>
          <Menu.Item onClick={onResend}>{t.resend}</Menu.Item>
          <Menu.Item onClick={onRevoke}>{t.revoke}</Menu.Item>
        </RowMenu>
      </td>
    </tr>
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

type RevokeProps = { readonly invitation: Invitation; readonly onClose: () => void }

function RevokeDialog({ invitation: { id, email }, onClose }: RevokeProps) {
  const t = useTexts(texts)
  const { isBusy, error, run } = useChange<string>(revokeInvitation)
  return (
    <Confirm
      opened
      title={t.doRevoke}
      action={t.revoke}
      onConfirm={() => run(id, onClose)}
      onCancel={onClose}
      {...{ isBusy, error }}
    >
      {t.loss(email)}
    </Confirm>
  )
}
