import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import {
  demandSecondStep,
  type ProviderSettings,
  readProvider,
  readSignIn,
  removeProvider,
  type SignInSettings,
} from '../../../api/setup/sign-in-settings.ts'
import { Badge } from '../../../components/badge.tsx'
import { CopyText } from '../../../components/copy-text.tsx'
import { Confirm } from '../../../components/dialogs/confirm.tsx'
import { Faint } from '../../../components/line.tsx'
import { NextStep } from '../../../components/next-step.tsx'
import { Pane } from '../../../components/pane.tsx'
import { useChange } from '../../../ui/change.ts'
import { listEveryMs, useLive } from '../../../ui/live.ts'
import { useTexts } from '../../../ui/texts.ts'
import { Facts } from './facts.tsx'
import { ProviderDialog } from './provider-dialog.tsx'
import { signInTexts } from './sign-in-texts.ts'

/** How users of the business sign in. */
export function SignInView() {
  const settings = useLive({ key: ['sign-in'], read: readSignIn, everyMs: listEveryMs })
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
  const [isAsked, setAsked] = useState(false)
  const { isBusy, error, run } = useChange<boolean>(demandSecondStep)
  const { totp_demanded: isDemanded } = settings
  return (
    <Stack gap="xs" align="start">
      <Badge tone={isDemanded ? 'good' : 'quiet'} icon={isDemanded ? 'check' : 'unlocked'}>
        {isDemanded ? t.demanded : t.free}
      </Badge>
      <Faint>{t.stepMeaning}</Faint>
      <Button variant="default" size="xs" onClick={() => setAsked(true)}>
        {isDemanded ? t.release : t.demand}
      </Button>
      <Confirm
        opened={isAsked}
        title={isDemanded ? t.releaseTitle : t.demandTitle}
        action={isDemanded ? t.release : t.demand}
        onConfirm={() => run(!isDemanded, () => setAsked(false))}
        onCancel={() => setAsked(false)}
        {...{ isBusy, error }}
      >
        {isDemanded ? t.releaseLoss : t.demandLoss}
      </Confirm>
    </Stack>
  )
}

function ProviderPane() {
  const t = useTexts(signInTexts)
  const [opened, setOpened] = useState<'edit' | 'remove'>()
  const provider = useLive({ key: ['provider'], read: readProvider, everyMs: listEveryMs })
  const { isBusy, error, run, reset } = useChange<void>((client) => removeProvider(client))
  const close = () => {
    setOpened(undefined)
    reset()
  }
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
            <Button variant="default" size="xs" onClick={() => setOpened('edit')}>
              {found === null ? t.add : t.change}
            </Button>
            {found !== null && (
              <Button variant="default" size="xs" onClick={() => setOpened('remove')}>
                {t.remove}
              </Button>
            )}
          </Group>
          {opened === 'edit' && <ProviderDialog provider={found} onClose={close} />}
          <Confirm
            opened={opened === 'remove'}
            title={t.removeTitle}
            action={t.remove}
            onConfirm={() => run(undefined, close)}
            onCancel={close}
            {...{ isBusy, error }}
          >
            {t.removeLoss}
          </Confirm>
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
