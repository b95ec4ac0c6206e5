# Runs jobs with Postmark's gem: reads a JSON list of jobs, writes a JSON list of results.
require 'base64'
require 'json'
require 'postmark'

host, port = ENV['POSTMARK_HOST']&.split(':')
options = host ? { host: host, port: port.to_i, secure: false } : {}
CLIENT = Postmark::ApiClient.new(ENV['POSTMARK_TOKEN'], **options)

def mail_of(job)
  {
    from: job['from'] ? %("#{job['from']['name']}" <#{job['from']['email']}>) : '',
    to: job['to'].map { |to| to['name'].empty? ? to['email'] : %("#{to['name']}" <#{to['email']}>) }.join(', '),
    cc: job['cc'].join(', '), bcc: job['bcc'].join(', '),
    subject: job['subject'], text_body: job['text'], html_body: job['html'],
    attachments: job['files'].map { |file| attachment_of(file) }
  }
end

def attachment_of(file)
  attachment = { 'Name' => file['name'], 'Content' => file['content'], 'ContentType' => file['type'] }
  file['cid'] ? attachment.merge('ContentID' => "cid:#{file['cid']}") : attachment
end

def ids_of(job)
  mail = mail_of(job)
  case job['call']
  when 'send' then [CLIENT.deliver(mail)[:message_id]]
  when 'batch'
    mails = job['each'].map { |one| mail.merge(to: one['email'], text_body: "Code: #{one['code']}") }
    CLIENT.deliver_in_batches(mails).map { |sent| sent[:message_id] }
  when 'template'
    template = job['template']
    own = { template_alias: template['id'], template_model: template['variables'] }
    [CLIENT.deliver_with_template(mail.slice(:from, :to).merge(own))[:message_id]]
  end
end

def outcome_of(job)
  { ids: ids_of(job) }
rescue Postmark::HttpServerError => error
  code = error.parsed_body['ErrorCode']
  { error: { type: error.class.name, status: error.status_code, code: code, message: error.message } }
end

puts JSON.generate(JSON.parse($stdin.read).map { |job| outcome_of(job) })
