import type { Privacy } from '../../../src/propose/private.ts';

/** Columns of well-known applications, as `table.column: native type`, with the verdict on them. */
export type Verdict = Privacy | 'public';

const rows = (verdict: Verdict, names: string) =>
  names
    .trim()
    .split(/\s*,\s*/)
    .map((name): readonly [name: string, verdict: Verdict] => [name, verdict]);

/** Lower-case names, as PostgreSQL has them. A suffix `:int` or `:date` gives the kind of type; the default is text. */
const adventureWorks = [
  ...rows(
    'personal',
    `creditcard.cardnumber, employee.nationalidnumber, employee.maritalstatus, employee.gender, employee.birthdate:date, jobcandidate.resume, person.firstname,
    person.middlename, person.lastname, address.addressline1, address.addressline2, address.postalcode, emailaddress.emailaddress, personphone.phonenumber,
    person.additionalcontactinfo, person.demographics, employee.loginid, productreview.reviewername, productreview.emailaddress, customer.accountnumber,
    vendor.accountnumber`,
  ),
  ...rows('secret', 'password.passwordhash, password.passwordsalt, salesorderheader.creditcardapprovalcode'),
  ...rows(
    'public',
    `product.name, product.productnumber, product.color, product.size, product.listprice:int, product.productline, product.class, product.style,
    productmodel.catalogdescription, productdescription.description, phonenumbertype.name, phonenumbertype.phonenumbertypeid:int, addresstype.name,
    addresstype.addresstypeid:int, personphone.phonenumbertypeid:int, creditcard.creditcardid:int, creditcard.cardtype, emailaddress.emailaddressid:int,
    businessentityaddress.addressid:int, salesorderheader.billtoaddressid:int, salesorderheader.purchaseordernumber, salesorderheader.status:int,
    stateprovince.stateprovincecode, countryregion.name, currency.currencycode, department.groupname, document.title, document.filename,
    document.documentsummary, employee.jobtitle, employee.hiredate:date, shift.starttime, specialoffer.category, store.name, vendor.name, unitmeasure.unitmeasurecode,
    workorder.orderqty:int, salesterritory.name, scrapreason.name, location.costrate:int, transactionhistory.transactiontype`,
  ),
];

const zenCart = [
  ...rows(
    'personal',
    `customers.customers_gender, customers.customers_firstname, customers.customers_lastname, customers.customers_dob:date, customers.customers_email_address,
    customers.customers_nick, customers.customers_telephone, customers.customers_fax, customers.registration_ip, customers.last_login_ip, address_book.entry_gender,
    address_book.entry_firstname, address_book.entry_lastname, address_book.entry_street_address, address_book.entry_suburb, address_book.entry_postcode,
    admin.admin_name, admin.admin_email, orders.customers_name, orders.customers_street_address, orders.customers_postcode, orders.delivery_name,
    orders.delivery_street_address, orders.billing_name, orders.cc_owner, orders.cc_number, orders.cc_expires, orders.ip_address, whos_online.full_name,
    reviews.customers_name, email_archive.email_to_address, coupon_email_track.emailed_to_email`,
  ),
  ...rows(
    'secret',
    `configuration.configuration_value, customers.customers_password, customers.customers_secret, admin.admin_pass, admin.prev_pass1, admin.reset_token,
    orders.cc_cvv, whos_online.session_id`,
  ),
  ...rows(
    'public',
    `address_format.address_format, address_format.address_summary_id:int, configuration.configuration_title, configuration.configuration_key,
    configuration.configuration_description, customers.customers_email_format, customers.customers_newsletter, customers.customers_default_address_id:int,
    orders.cc_type, orders.payment_method, orders.order_total:int, products.products_model, products.products_image, products.products_price:int,
    products_description.products_name, products_description.products_description, products_description.products_url, categories.categories_image,
    categories_description.categories_name, manufacturers.manufacturers_name, countries.countries_name, countries.countries_iso_code_2, currencies.title,
    coupons.coupon_type, tax_class.tax_class_title, tax_rates.tax_rate:int, banners.banners_title, reviews_description.reviews_text,
    product_types.type_name, products_options.products_options_name, products_options_values.products_options_values_name, languages.name, zones.zone_name`,
  ),
];

const wordPress = [
  ...rows(
    'personal',
    `wp_users.user_login, wp_users.user_nicename, wp_users.user_email, wp_users.display_name, wp_comments.comment_author, wp_comments.comment_author_email,
    wp_comments.comment_author_IP, wp_comments.comment_agent, wp_signups.user_login, wp_signups.user_email`,
  ),
  ...rows(
    'secret',
    `wp_users.user_pass, wp_users.user_activation_key, wp_posts.post_password, wp_options.option_value, wp_usermeta.meta_value, wp_signups.activation_key`,
  ),
  ...rows(
    'public',
    `wp_posts.ID:int, wp_posts.post_author:int, wp_posts.post_title, wp_posts.post_content, wp_posts.post_excerpt, wp_posts.post_name, wp_posts.post_status,
    wp_posts.post_mime_type, wp_posts.comment_count:int, wp_posts.ping_status, wp_posts.guid, wp_users.user_status:int, wp_users.user_registered:date,
    wp_options.option_name, wp_options.autoload, wp_usermeta.meta_key, wp_terms.name, wp_terms.slug, wp_terms.term_group:int, wp_term_taxonomy.taxonomy,
    wp_links.link_name, wp_links.link_url, wp_comments.comment_type, wp_comments.comment_approved`,
  ),
];

const openMrs = [
  ...rows(
    'personal',
    `person.gender, person.birthdate:date, person.death_date:date, person_name.given_name, person_name.middle_name, person_name.family_name,
    person_name.family_name2, person_address.address1, person_address.address6, person_address.postal_code, patient_identifier.identifier, users.username,
    users.email`,
  ),
  ...rows(
    'secret',
    'users.password, users.salt, users.secret_question, users.secret_answer, users.activation_key, global_property.property_value, user_property.property_value',
  ),
  ...rows(
    'public',
    `concept_name.name, concept_name.locale, concept_description.description, drug.name, drug.strength, encounter_type.name, location.name, location.description,
    location_tag.name, order_type.name, patient_identifier_type.name, patient_identifier_type.format, patient_identifier_type.format_description,
    patient_identifier_type.patient_identifier_type_id:int, person_attribute_type.name, person_attribute_type.format, person.birthdate_estimated:int, person.uuid,
    relationship_type.a_is_to_b, role.role, visit_type.name, form.name, form.version, users.user_id:int, users.person_id:int, global_property.property,
    global_property.datatype, person_address.person_address_id:int, person_name.person_name_id:int, obs.value_numeric:int`,
  ),
];

/** Other names, in several languages and spellings. */
const others = [
  ...rows(
    'personal',
    `t.dateOfBirth:date, t.socialsecuritynumber, t.ssn:int, t.custFirstName, t.mothersmaidenname, t.PHONE_NUMBER, t.homephone, t.mobilePhone, t.BankAccountNumber,
    t.driverslicense, t.passportnumber:int, t.national_id:int, t.cardholdername, t.billingaddress, t.Straße, t.strasse, t.Geburtsdatum:date, t.geburtsort,
    t.Vorname, t.kundenvorname, t.Nachname, t.Geschlecht, t.Familienstand, t.kundentelefonnummer, t.prénom, t.nom_client, t.date_naissance:date, t.code_postal,
    t.etat_civil, t.sexe, t.apellido1, t.nombre_cliente, t.fecha_nacimiento:date, t.estado_civil, t.correo_electronico, t.cognome, t.voornaam, t.sobrenome,
    t.contact_name, t.employeeName, kunden.name, tbl_Mitarbeiter.Name, utilisateurs.nom, clientes.nombre, t.nationality, t.blood_type, t.user_agent,
    t.license_plate, t.ip, t.patientname, t.guestemail`,
  ),
  ...rows(
    'secret',
    't.smtp_password, t.contraseña, t.Passwort, t.senha, t.wachtwoord, t.apikey, t.clientsecret, t.setting_value, t.refreshtoken',
  ),
  ...rows(
    'public',
    `t.phone_number_type, t.phoneNumberType, t.phonenumbertype, t.passwd_min_length:int, t.password_min_length:int, t.passwordminlength, t.max_password_length:int,
    t.address_type, t.email_enabled, t.emailtemplate, t.email_verified, t.is_email_verified, t.has_phone, t.min_salary:int, t.token_type, t.password_policy,
    t.gender_required, t.phone_country_code, t.product_name, t.productname, t.name, t.nombre, t.category_name, t.company_name, t.automobile, t.saxophone,
    t.headphone_model, t.hotel, t.microphone, t.addressee_count, t.streetcar, t.postcard, t.username_max_length:int, t.mail_server, t.smtp_port:int, t.birth_rate:int,
    t.resumed, t.update_date:date, t.codename, t.hostname, products.name, produkte.name, productos.nombre, t.tax_id:int, t.gift_card_type, t.page_title,
    t.country_name, t.rental_rate:int, t.special_features, t.replacement_cost:int, t.unit_price:int, t.shipping_method, t.keyboard, t.classname`,
  ),
];

/** Columns of well-known applications with the expected verdicts. */
export const wellKnown = { adventureWorks, zenCart, wordPress, openMrs, others };
