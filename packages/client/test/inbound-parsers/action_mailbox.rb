# An application with Action Mailbox. Its ingress is the first argument. Prints each email that arrives, as a line of JSON.
require 'json'
require 'socket'
require 'active_record/railtie'
require 'active_job/railtie'
require 'active_storage/engine'
require 'action_mailbox/engine'

ENV['RAILS_INBOUND_EMAIL_PASSWORD'] = 'secret'
ENV['MAILGUN_INGRESS_SIGNING_KEY'] = 'key-of-a-test'
ENV['DATABASE_URL'] = 'sqlite3::memory:'

class App < Rails::Application
  config.root = ARGV[1]
  config.eager_load = false
  config.hosts.clear
  config.secret_key_base = 'a secret of a test'
  config.logger = Logger.new(nil)
  config.action_mailbox.ingress = ARGV[0].to_sym
  config.action_mailbox.incinerate = false
  config.active_job.queue_adapter = :inline
  config.active_storage.service = :local
  config.active_storage.service_configurations = { local: { service: 'Disk', root: ARGV[1] } }
end
App.initialize!

ActiveRecord::Schema.verbose = false
ActiveRecord::Schema.define do
  create_table(:action_mailbox_inbound_emails) do |t|
    t.integer :status, default: 0, null: false
    t.string :message_id, null: false
    t.string :message_checksum, null: false
    t.timestamps
    t.index %i[message_id message_checksum], unique: true, name: 'unique_emails'
  end
  create_table(:active_storage_blobs) do |t|
    t.string :key, null: false
    t.string :filename, null: false
    t.string :content_type
    t.text :metadata
    t.string :service_name, null: false
    t.bigint :byte_size, null: false
    t.string :checksum, null: false
    t.datetime :created_at, null: false
  end
  create_table(:active_storage_attachments) do |t|
    t.string :name, null: false
    t.references :record, null: false, polymorphic: true, index: false
    t.references :blob, null: false
    t.datetime :created_at, null: false
  end
end

class ApplicationMailbox < ActionMailbox::Base
  routing all: :shown
end

class ShownMailbox < ActionMailbox::Base
  def process
    files = mail.attachments.map { |one| [one.filename, one.mime_type, one.decoded.bytes] }
    text = mail.text_part || mail
    read = {
      from: mail[:from].decoded, to: mail.to, subject: mail.subject, text: text.decoded.force_encoding('UTF-8').strip,
      thread: [mail.in_reply_to, mail.references].flatten, files: files
    }
    puts JSON.generate(read)
    $stdout.flush
  end
end

# A small server, so that no server needs to be installed.
server = TCPServer.new('127.0.0.1', 0)
puts JSON.generate(port: server.addr[1])
$stdout.flush
loop do
  socket = server.accept
  method, target = socket.gets.split
  headers = {}
  while (line = socket.gets.chomp) != ''
    name, value = line.split(': ', 2)
    headers[name.downcase] = value
  end
  body = socket.read(headers.fetch('content-length', 0).to_i)
  path, query = target.split('?', 2)
  env = {
    'REQUEST_METHOD' => method, 'SCRIPT_NAME' => '', 'PATH_INFO' => path, 'QUERY_STRING' => query.to_s,
    'SERVER_NAME' => '127.0.0.1', 'SERVER_PORT' => server.addr[1].to_s, 'HTTP_HOST' => headers['host'],
    'CONTENT_TYPE' => headers['content-type'], 'CONTENT_LENGTH' => body.bytesize.to_s,
    'HTTP_AUTHORIZATION' => headers['authorization'], 'rack.input' => StringIO.new(body), 'rack.errors' => $stderr,
    'rack.url_scheme' => 'http', 'rack.version' => [1, 3], 'rack.multithread' => false,
    'rack.multiprocess' => false, 'rack.run_once' => false
  }.compact
  status, = Rails.application.call(env)
  socket.write("HTTP/1.1 #{status} OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
  socket.close
end
