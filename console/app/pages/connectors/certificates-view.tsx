import { Button, FileButton, Group, Text } from '@mantine/core'
import type { Connector } from '../../api/connectors.ts'
import { orNull } from '../../api/or-null.ts'
import {
  createAuthority,
  extendWindow,
  listWindows,
  putRevocationList,
  type RevocationList,
  readAuthority,
  readRevocationList,
  removeRevocationList,
} from '../../api/provisioning/certificates.ts'
import { Badge } from '../../components/badge.tsx'
import { Action } from '../../components/controls/action.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { Pane } from '../../components/pane.tsx'
import { List } from '../../components/table/list.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { saveFile } from '../../ui/files.ts'
import { useLive, useRead } from '../../ui/live-queries.ts'
import { useTexts } from '../../ui/texts.ts'
import { moment } from '../../ui/words.ts'
import { certificateTexts } from './certificate-texts.ts'
import { DeviceCertificatesPane } from './device-certificates-pane.tsx'
import styles from './settings/settings.module.css'
import { choiceTexts } from './settings/texts.ts'

type Props = { readonly connector: Connector }

/** The certificates of a connector: whose it trusts, what is revoked, and what ends next. */
export function CertificatesView({ connector }: Props) {
  return (
    <div className={styles.stack}>
      <AuthorityPane connector={connector} />
      <RevocationPane connector={connector} />
      <DeviceCertificatesPane connector={connector} />
      <WindowsPane connector={connector} />
    </div>
  )
}

function AuthorityPane({ connector }: Props) {
  const t = useTexts(certificateTexts)
  const authority = useLive(['authority', connector.id], (client, signal) =>
    orNull(readAuthority(client, connector.id, signal)),
  )
  const create = useChange<undefined>((client) =>
    createAuthority(client, connector.id, { use: true }),
  )
  return (
    <Pane title={t.authority} query={authority}>
      {(found) => (
        <>
          <Trust connector={connector} />
          {found === null ? (
            <>
              <NextStep>{t.noAuthority}</NextStep>
              <Action
                text={t.create}
                main
                busy={create.isBusy}
                onClick={() => create.run(undefined)}
              />
            </>
          ) : (
            <>
              <Text size="sm">{t.valid(moment(found.not_before), moment(found.not_after))}</Text>
              <Save name={`${connector.id}-ca.pem`} text={found.certificate}>
                {t.saveAuthority}
              </Save>
            </>
          )}
          {create.error !== null && <Trouble error={create.error} />}
        </>
      )}
    </Pane>
  )
}

function Trust({ connector }: Props) {
  const t = useTexts(certificateTexts)
  const words = useTexts(choiceTexts)
  const { enabled, ca, vendor } = connector.provisioning.pki
  const vendorWord = (words as Readonly<Record<string, string>>)[vendor ?? ''] ?? words.noVendor
  return (
    <Text size="sm" mb="xs">
      {enabled ? t.trusts : t.noPki} {enabled && ca !== null && t.hasCa} {t.vendor(vendorWord)}
    </Text>
  )
}

function RevocationPane({ connector }: Props) {
  const t = useTexts(certificateTexts)
  const list = useLive(['crl', connector.id], (client, signal) =>
    orNull(readRevocationList(client, connector.id, signal)),
  )
  const put = useChange<File>((client, file) => putRevocationList(client, connector.id, file))
  const remove = useChange<undefined>((client) => removeRevocationList(client, connector.id))
  const error = put.error ?? remove.error
  return (
    <Pane title={t.revoked} query={list}>
      {(found) => (
        <>
          {found === null && <NextStep>{t.noList}</NextStep>}
          {found !== null && <ListFacts list={found} />}
          <Group gap="xs" mt="xs">
            <FileButton onChange={(file) => file !== null && put.run(file)}>
              {(props) => (
                <Button {...props} variant="default" size="xs" loading={put.isBusy}>
                  {t.uploadList}
                </Button>
              )}
            </FileButton>
            {found !== null && (
              <>
                <Save name={`${connector.id}-crl.pem`} text={found.crl}>
                  {t.saveList}
                </Save>
                <Action
                  text={t.removeList}
                  busy={remove.isBusy}
                  onClick={() => remove.run(undefined)}
                />
              </>
            )}
          </Group>
          {error !== null && <Trouble error={error} />}
        </>
      )}
    </Pane>
  )
}

function ListFacts({ list }: { readonly list: RevocationList }) {
  const t = useTexts(certificateTexts)
  const { revoked, next_update: next, stale } = list
  return (
    <Text size="sm" component="div">
      {t.count(revoked)} {next !== null && t.due(moment(next))}{' '}
      {stale && <Badge tone="care" icon="warning" text={t.stale} />}
    </Text>
  )
}

const windowsShown = 20
const extraHours = 48

function WindowsPane({ connector }: Props) {
  const t = useTexts(certificateTexts)
  const page = useRead('windows', listWindows, [connector.id, { limit: windowsShown }])
  const extend = useChange<string>((client, identity) =>
    extendWindow(client, connector.id, { identity, hours: extraHours }),
  )
  return (
    <Pane title={t.windows} query={page}>
      {({ windows }) => (
        <>
          <List
            items={windows}
            itemKey={({ identity }) => identity}
            none={t.noWindows}
            columns={[
              [t.identity, ({ identity }) => identity],
              [t.closes, ({ expire }) => moment(expire)],
              [
                t.change,
                ({ identity }) => (
                  <Action
                    text={t.extend}
                    small
                    aria-label={t.extendFor(identity)}
                    onClick={() => extend.run(identity)}
                  />
                ),
              ],
            ]}
          />
          {extend.error !== null && <Trouble error={extend.error} />}
        </>
      )}
    </Pane>
  )
}

type SaveProps = { readonly name: string; readonly text: string; readonly children: string }

function Save({ name, text, children }: SaveProps) {
  return (
    <Action
      text={children}
      icon="download"
      onClick={() => saveFile(name, 'application/x-pem-file', text)}
    />
  )
}
