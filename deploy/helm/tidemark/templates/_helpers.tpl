{{- define "tidemark.name" -}}
{{- if contains "tidemark" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-tidemark" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "tidemark.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "tidemark.selector" -}}
app.kubernetes.io/name: tidemark
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "tidemark.labels" -}}
{{ include "tidemark.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "tidemark.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "tidemark.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* What every container of the pod has: image, settings, volumes. Secrets come as variables: a mounted one is
readable by its group, and a key file must be its owner's alone. */}}
{{- define "tidemark.process" -}}
image: {{ include "tidemark.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext: {{- include "tidemark.containerSecurity" . | nindent 2 }}
env:
  - { name: TIDEMARK_ENVIRONMENT, value: {{ .Values.environment | quote }} }
  - { name: TEMPORAL_ADDRESS, value: {{ .Values.temporal.address | quote }} }
  - { name: TEMPORAL_NAMESPACE, value: {{ .Values.temporal.namespace | quote }} }
  {{- with .Values.temporal.apiKeySecretName }}
  - name: TEMPORAL_API_KEY
    valueFrom: { secretKeyRef: { name: {{ . | quote }}, key: api_key } }
  {{- end }}
  - name: DATABASE_URL
    valueFrom: { secretKeyRef: { name: {{ .Values.secretName | quote }}, key: database_url } }
  - name: TIDEMARK_KEY_ENCRYPTION_KEY
    valueFrom: { secretKeyRef: { name: {{ .Values.secretName | quote }}, key: key_encryption_key } }
  - name: TIDEMARK_CURSOR_SECRET
    valueFrom: { secretKeyRef: { name: {{ .Values.secretName | quote }}, key: cursor_secret } }
  - { name: TIDEMARK_TRUSTED_PROXIES, value: {{ join "," .Values.trustedProxies | quote }} }
  - { name: TIDEMARK_LOG_WITNESS_URL, value: {{ .Values.log.witness.url | quote }} }
  - { name: TIDEMARK_LOG_WITNESS_KEY, value: {{ .Values.log.witness.key | quote }} }
  {{- range $name, $value := .Values.extraEnvironment }}
  - { name: {{ $name }}, value: {{ $value | quote }} }
  {{- end }}
volumeMounts:
  - { name: home, mountPath: /var/lib/tidemark }
  - { name: cache, mountPath: /var/cache/tidemark }
  - { name: tmp, mountPath: /tmp }
{{- end }}

{{/* Whether a process responds at a port. Readiness is that of the API alone: without an engine or a worker it still
answers reads, so neither may take the pod out of service. The alerts tell of them. */}}
{{- define "tidemark.alive" -}}
startupProbe: { httpGet: { path: /healthz, port: {{ . }} }, periodSeconds: 5, failureThreshold: 60 }
livenessProbe: { httpGet: { path: /healthz, port: {{ . }} }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 }
{{- end }}
