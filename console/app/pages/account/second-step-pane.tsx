import { Code, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { type ReactElement, useState } from 'react'
import type { Client } from '../../api/client.ts'
import {
  confirmSecondStep,
  enrol,
  readSecondStep,
  removeSecondStep,
  renewRecoveryCodes,
  type SecondStep,
} from '../../api/people/own-account.ts'
import type { Enrolment } from '../../api/people/sessions.ts'
import { Badge } from '../../components/badge.tsx'
import { Action } from '../../components/controls/action.tsx'
import { CopyText } from '../../components/copy-text.tsx'
import { FieldsDialog } from '../../components/form/fields-dialog.tsx'
import { Pane } from '../../components/pane.tsx'
import { useLive } from '../../ui/live-queries.ts'
import { useTexts } from '../../ui/texts.ts'
import styles from './account.module.css'
import { stepTexts as texts } from './step-texts.ts'

type Opened = 'setUp' | 'renew' | 'remove'

/** The second step of the caller's sign-ins. */
export function SecondStepPane() {
  const t = useTexts(texts)
  const [opened, setOpened] = useState<Opened>()
  const [codes, setCodes] = useState<readonly string[]>()
  const step = useLive(['second-step'], readSecondStep)
  const close = () => setOpened(undefined)
  const done = (made: readonly string[]) => {
    close()
    setCodes(made)
  }
  return (
    <Pane title={t.title} query={step}>
      {(found) => (
        <>
          <State step={found} onOpen={setOpened} />
          {opened === 'setUp' && <SetUpDialog onDone={done} onClose={close} />}
          {opened === 'renew' && (
            <CodeDialog
              title={t.renew}
              about={<Text size="sm">{t.renewLoss}</Text>}
              work={renewRecoveryCodes}
              onDone={done}
              onClose={close}
            />
          )}
          {opened === 'remove' && (
            <CodeDialog
              title={t.remove}
              about={<Text size="sm">{t.removeLoss}</Text>}
              work={removeSecondStep}
              onDone={close}
              onClose={close}
            />
          )}
          {codes !== undefined && <Codes codes={codes} onClose={() => setCodes(undefined)} />}
        </>
      )}
    </Pane>
  )
}

type StateProps = { readonly step: SecondStep; readonly onOpen: (opened: Opened) => void }

function State({ step, onOpen }: StateProps) {
  const t = useTexts(texts)
  const { enabled, demanded, recovery_codes_left: left } = step
  return (
    <Stack gap="xs" align="start">
      <Badge
        tone={enabled ? 'good' : 'quiet'}
        icon={enabled ? 'check' : 'unlocked'}
        text={enabled ? t.on : t.off}
      />
      <Text size="sm">{enabled ? t.left(left) : t.about}</Text>
      {demanded && <Text size="sm">{t.demanded}</Text>}
      <Group gap="xs">
        {!enabled && <Action text={t.setUp} main onClick={() => onOpen('setUp')} />}
        {enabled && <Action text={t.renew} onClick={() => onOpen('renew')} />}
        {enabled && !demanded && <Action text={t.remove} onClick={() => onOpen('remove')} />}
      </Group>
    </Stack>
  )
}

type DialogProps = {
  readonly onDone: (codes: readonly string[]) => void
  readonly onClose: () => void
}

/** Asks for the password, then shows the key and asks for the first code. */
function SetUpDialog({ onDone, onClose }: DialogProps) {
  const t = useTexts(texts)
  const [enrolment, setEnrolment] = useState<Enrolment>()
  if (enrolment === undefined) {
    return (
      <FieldsDialog
        title={t.setUp}
        action={t.next}
        fields={[
          {
            name: 'password',
            as: PasswordInput,
            label: t.password,
            autoComplete: 'current-password',
            needed: true,
          },
        ]}
        send={async (client, { password }) => setEnrolment(await enrol(client, { password }))}
        onDone={() => undefined}
        onClose={onClose}
      />
    )
  }
  const about = (
    <>
      <Text size="sm">{t.add}</Text>
      <CopyText label={t.key} text={enrolment.secret.match(/.{1,4}/g)?.join(' ') ?? ''} />
      <CopyText label={t.address} text={enrolment.uri} />
    </>
  )
  const work = confirmSecondStep
  return <CodeDialog title={t.setUp} action={t.confirm} {...{ about, work, onDone, onClose }} />
}

type CodeProps<Answer> = {
  readonly title: string
  readonly action?: string
  readonly about: ReactElement
  readonly work: (client: Client, given: { readonly code: string }) => Promise<Answer>
  readonly onDone: (answer: Answer) => void
  readonly onClose: () => void
}

/** A change that a code confirms. */
function CodeDialog<Answer>(props: CodeProps<Answer>) {
  const { title, action = title, about, work, onDone, onClose } = props
  const t = useTexts(texts)
  return (
    <FieldsDialog
      key="code"
      {...{ title, action, onClose }}
      fields={[
        about,
        {
          name: 'code',
          label: t.code,
          description: t.codeHint,
          autoComplete: 'one-time-code',
          needed: true,
        },
      ]}
      send={async (client, { code }) => onDone(await work(client, { code }))}
    />
  )
}

/** The recovery codes, which cannot be shown again. */
function Codes(props: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  const { codes, onClose } = props
  const t = useTexts(texts)
  return (
    <Modal
      opened
      onClose={onClose}
      title={t.keep}
      centered
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack gap="sm">
        <Text size="sm">{t.once}</Text>
        <ul className={styles.codes}>
          {codes.map((code) => (
            <li key={code}>
              <Code>{code}</Code>
            </li>
          ))}
        </ul>
        <Group justify="end">
          <Action text={t.kept} main onClick={onClose} data-autofocus />
        </Group>
      </Stack>
    </Modal>
  )
}
