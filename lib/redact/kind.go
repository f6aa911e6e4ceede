package redact

// kind is a sort of secret. Of two that overlap the earlier one is masked first.
type kind int

const (
	pem kind = iota
	awsKey
	stripeKey
	githubToken
	gitlabToken
	slackToken
	googleKey
	npmToken
	hfToken
	dockerToken
	pypiToken
	vendorToken
	openaiKey
	jwt
	bearer
	basicAuth
	apiKey
	credentialURL
)

var kindNames = [...]string{
	"pem", "aws-key", "stripe-key", "github-token", "gitlab-token", "slack-token", "google-key",
	"npm-token", "hf-token", "docker-token", "pypi-token", "vendor-token", "openai-key", "jwt",
	"bearer", "basic-auth", "api-key", "credential-url",
}

func (k kind) String() string { return kindNames[k] }
