import { useState } from 'react'
import { type ApiToken, listApiTokens, revokeApiToken } from '../../api/people/api-tokens.ts'
import { Age } from '../../components/age.tsx'
import { Badge } from '../../components/badge.tsx'
import { Action } from '../../components/controls/action.tsx'
import { useAsk } from '../../components/dialogs/confirm.tsx'
import { Named } from '../../components/table/list.tsx'
import { ListPane } from '../../components/table/list-pane.tsx'
import { useLive } from '../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { moment } from '../../ui/words.ts'
import { GroupNames } from './group-names.tsx'
import { setupTexts } from './texts.ts'
import { TokenDialog } from './token-dialog.tsx'

const texts = defineTexts({
  add: ['New API token', 'Neues API-Token'],
  access: ['Role and groups', 'Rolle und Gruppen'],
  lastUse: ['Last use', 'Zuletzt genutzt'],
  notUsed: ['not used yet', 'noch nicht genutzt'],
  expires: ['Expires', 'Läuft ab'],
  expired: ['expired', 'abgelaufen'],
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
  const [ask, question] = useAsk()
  const tokens = useLive(['api-tokens'], listApiTokens)
  const revoke = ({ id, name }: ApiToken) =>
    ask({
      title: t.revokeTitle(name),
      action: t.revoke,
      loss: t.loss,
      work: (client) => revokeApiToken(client, id),
    })
  return (
    <ListPane
      title={names.tokens}
      query={tokens}
      add={[t.add, () => setOpen(true)]}
      itemKey={({ id }) => id}
      none={t.none}
      columns={[
        [t.name, ({ name, addresses }) => <Named name={name} of={addresses.join(', ')} />],
        [t.access, ({ role, groups }) => <Named name={role} of={<GroupNames groups={groups} />} />],
        [t.lastUse, (one) => <Age at={micros(one.last_used_at)} never={t.notUsed} />],
        [t.expires, (one) => <Expiry at={one.expires_at} />],
      ]}
      actions={(one) => <Action text={t.revoke} of={one.name} small onClick={() => revoke(one)} />}
    >
      {isOpen && <TokenDialog onClose={() => setOpen(false)} />}
      {question}
    </ListPane>
  )
}

const micros = (ms: number | null) => (ms === null ? null : ms * 1_000)

function Expiry({ at }: { readonly at: number | null }) {
  const t = useTexts(texts)
  if (at === null) return t.never
  return at < Date.now() ? <Badge tone="care" icon="clock" text={t.expired} /> : moment(at * 1_000)
}
