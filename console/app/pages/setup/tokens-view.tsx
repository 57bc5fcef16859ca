import { Button } from '@mantine/core'
import { useState } from 'react'
import { type ApiToken, listApiTokens, revokeApiToken } from '../../api/people/api-tokens.ts'
import { Age } from '../../components/age.tsx'
import { Badge } from '../../components/badge.tsx'
import { Confirm } from '../../components/dialogs/confirm.tsx'
import { Icon } from '../../components/icon.tsx'
import { Faint } from '../../components/line.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { Pane } from '../../components/pane.tsx'
import { Table } from '../../components/table/table.tsx'
import { useChange } from '../../ui/change.ts'
import { listEveryMs, useLive } from '../../ui/live.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { moment } from '../../ui/words.ts'
import { GroupNames } from './group-names.tsx'
import { setupTexts } from './texts.ts'
import { TokenDialog } from './token-dialog.tsx'

const texts = defineTexts({
  add: ['New API token', 'Neues API-Token'],
  name: ['Name', 'Name'],
  access: ['Role and groups', 'Rolle und Gruppen'],
  lastUse: ['Last use', 'Zuletzt genutzt'],
  notUsed: ['not used yet', 'noch nicht genutzt'],
  expires: ['Expires', 'Läuft ab'],
  never: ['never', 'nie'],
  expired: ['expired', 'abgelaufen'],
  actions: ['Actions', 'Aktionen'],
  none: [
    'There is no API token yet. A program signs in with one, in place of a person.',
    'Es gibt noch kein API-Token. Damit meldet sich ein Programm an statt einer Person.',
  ],
  revoke: ['Revoke', 'Widerrufen'],
  revokeTitle: (name: string) => [`Revoke ${name}?`, `${name} widerrufen?`],
  loss: [
    'Programs that use this token are refused within a second.',
    'Programme mit diesem Token werden binnen einer Sekunde abgewiesen.',
  ],
})

/** The API tokens of the business. */
export function TokensView() {
  const t = useTexts(texts)
  const names = useTexts(setupTexts)
  const [isOpen, setOpen] = useState(false)
  const [revoked, setRevoked] = useState<ApiToken>()
  const tokens = useLive({ key: ['api-tokens'], read: listApiTokens, everyMs: listEveryMs })
  const add = (
    <Button size="xs" leftSection={<Icon name="plus" size={14} />} onClick={() => setOpen(true)}>
      {t.add}
    </Button>
  )
  return (
    <Pane title={names.tokens} query={tokens} aside={add}>
      {(found) => (
        <>
          {found.length === 0 ? (
            <NextStep>{t.none}</NextStep>
          ) : (
            <Table heads={[t.name, t.access, t.lastUse, t.expires, t.actions]} narrow="stacked">
              {found.map((one) => (
                <Row key={one.id} token={one} onRevoke={() => setRevoked(one)} />
              ))}
            </Table>
          )}
          {isOpen && <TokenDialog onClose={() => setOpen(false)} />}
          {revoked && <RevokeDialog token={revoked} onClose={() => setRevoked(undefined)} />}
        </>
      )}
    </Pane>
  )
}

function Row({ token, onRevoke }: { readonly token: ApiToken; readonly onRevoke: () => void }) {
  const t = useTexts(texts)
  const { name, role, groups, addresses, last_used_at: usedAt, expires_at: expiresAt } = token
  return (
    <tr>
      <td>
        {name}
        {addresses.length > 0 && <Faint>{addresses.join(', ')}</Faint>}
      </td>
      <td data-label={t.access}>
        {role}
        <Faint>
          <span>
            <GroupNames groups={groups} />
          </span>
        </Faint>
      </td>
      <td data-label={t.lastUse}>
        <Age at={usedAt === null ? null : usedAt * 1_000} never={t.notUsed} />
      </td>
      <td data-label={t.expires}>
        {expiresAt === null ? (
          t.never
        ) : expiresAt < Date.now() ? (
          <Badge tone="care" icon="clock">
            {t.expired}
          </Badge>
        ) : (
          moment(expiresAt * 1_000)
        )}
      </td>
      <td>
        <Button
          variant="default"
          size="compact-xs"
          onClick={onRevoke}
          aria-label={`${t.revoke}: ${name}`}
        >
          {t.revoke}
        </Button>
      </td>
    </tr>
  )
}

type RevokeProps = { readonly token: ApiToken; readonly onClose: () => void }

function RevokeDialog({ token: { id, name }, onClose }: RevokeProps) {
  const t = useTexts(texts)
  const { isBusy, error, run } = useChange<string>(revokeApiToken)
  return (
    <Confirm
      opened
      title={t.revokeTitle(name)}
      action={t.revoke}
      onConfirm={() => run(id, onClose)}
      onCancel={onClose}
      {...{ isBusy, error }}
    >
      {t.loss}
    </Confirm>
  )
}
