import { Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { orNull } from '../../../api/or-null.ts'
import {
  changeSignIn,
  type ProviderSettings,
  readProvider,
  readSignIn,
  removeProvider,
  type SignInSettings,
} from '../../../api/setup/sign-in-settings.ts'
import { Badge } from '../../../components/badge.tsx'
import { Action } from '../../../components/controls/action.tsx'
import { Facts } from '../../../components/controls/facts.tsx'
import { CopyText } from '../../../components/copy-text.tsx'
import { useAsk } from '../../../components/dialogs/confirm.tsx'
import { Faint } from '../../../components/line.tsx'
import { NextStep } from '../../../components/next-step.tsx'
import { Pane } from '../../../components/pane.tsx'
import { useLive } from '../../../ui/live-queries.ts'
import { useTexts } from '../../../ui/texts.ts'
import { ProviderDialog } from './provider-dialog.tsx'
import { signInTexts } from './sign-in-texts.ts'

/** The way in which users of the business sign in. */
export function SignInView() {
  const settings = useLive(['sign-in'], readSignIn)
  const t = useTexts(signInTexts)
  return (
    <Stack gap="md">
      <Pane title={t.step} query={settings}>
        {(found) => <SecondStep settings={found} />}
      </Pane>
      <ProviderPane />
      <Pane title={t.limits} query={settings}>
        {(found) => <Limits settings={found} />}
      </Pane>
    </Stack>
  )
}

function SecondStep({ settings }: { readonly settings: SignInSettings }) {
  const t = useTexts(signInTexts)
  const [ask, question] = useAsk()
  const { totp_demanded: isDemanded } = settings
  const change = () =>
    ask({
      title: isDemanded ? t.releaseTitle : t.demandTitle,
      action: isDemanded ? t.release : t.demand,
      loss: isDemanded ? t.releaseLoss : t.demandLoss,
      work: (client) => changeSignIn(client, { totp_demanded: !isDemanded }),
    })
  return (
    <Stack gap="xs" align="start">
      <Badge
        tone={isDemanded ? 'good' : 'quiet'}
        icon={isDemanded ? 'check' : 'unlocked'}
        text={isDemanded ? t.demanded : t.free}
      />
      <Faint>{t.stepMeaning}</Faint>
      <Action text={isDemanded ? t.release : t.demand} onClick={change} />
      {question}
    </Stack>
  )
}

function ProviderPane() {
  const t = useTexts(signInTexts)
  const [isEdited, setEdited] = useState(false)
  const [ask, question] = useAsk()
  const provider = useLive(['provider'], (client, signal) => orNull(readProvider(client, signal)))
  const remove = () =>
    ask({ title: t.removeTitle, action: t.remove, loss: t.removeLoss, work: removeProvider })
  return (
    <Pane title={t.provider} query={provider}>
      {(found) => (
        <>
          {found === null ? (
            <NextStep>{t.noProvider}</NextStep>
          ) : (
            <ProviderFacts provider={found} />
          )}
          <Group gap="xs" mt="sm">
            <Action text={found === null ? t.add : t.change} onClick={() => setEdited(true)} />
            {found !== null && <Action text={t.remove} onClick={remove} />}
          </Group>
          {isEdited && <ProviderDialog provider={found} onClose={() => setEdited(false)} />}
          {question}
        </>
      )}
    </Pane>
  )
}

function ProviderFacts({ provider }: { readonly provider: ProviderSettings }) {
  const t = useTexts(signInTexts)
  const { label, issuer, client_id: clientId, domains, creates_role: role } = provider
  return (
    <>
      <Facts
        layout="lines"
        facts={[
          [t.label, label],
          [t.issuer, issuer],
          [t.clientId, clientId],
          [t.domains, domains.join(', ')],
          [t.role, role ?? t.noRole],
        ]}
      />
      <CopyText label={t.redirect} text={provider.redirect_uri} />
    </>
  )
}

const minute = 60

function Limits({ settings: { sign_in: limits } }: { readonly settings: SignInSettings }) {
  const t = useTexts(signInTexts)
  const time = (seconds: number) =>
    seconds % minute === 0 ? t.minutes(seconds / minute) : t.seconds(seconds)
  return (
    <>
      <Facts
        layout="lines"
        facts={[
          [t.session, t.hours(limits.session_hours)],
          [t.failures, `${limits.failures_most}`],
          [t.lock, time(limits.lock_seconds)],
          [t.lockMost, time(limits.lock_seconds_most)],
          [t.password, t.characters(limits.password_chars_least)],
        ]}
      />
      <Text size="sm" c="dimmed" mt="xs">
        {t.operator}
      </Text>
    </>
  )
}
